import type { LocaleName } from "./locale.js";

/** What a person reads where a call of theirs was refused, by the code of the error. */
export type PeopleErrorTexts = Readonly<Record<string, string>> & { readonly unknown: string };

export const peopleErrorTexts: Readonly<Record<LocaleName, PeopleErrorTexts>> = {
  "zh-CN": {
    ERR_MEMORY_EMPTY: "内容不能为空。",
    ERR_MEMORY_TOO_LONG: "内容超过 200 个字符，请写短一些。",
    ERR_MEMORY_SECRET: "内容像是密码或密钥，未保存；记忆会随对话发送给模型服务商。",
    ERR_MEMORY_INVALID: "这条记忆的格式不正确。",
    ERR_MEMORY_NOT_FOUND: "没有这条记忆，它可能已被删除。",
    ERR_MEMORY_PINNED_LIMIT: "固定的记忆太多，超出了条数上限或注入预算；请先取消固定一些。",
    ERR_CANDIDATE_NOT_FOUND: "没有这条待确认的记忆，它可能已被处理。",
    ERR_ASSET_NOT_FOUND: "没有这个文件，或它无法读取。",
    ERR_SETTING_INVALID: "设置的值不正确；条数上限须为 10 到 1000 的整数。",
    ERR_USER_INVALID: "用户标识不能为空。",
    ERR_LOCKED: "另一个程序正在写入，请稍后再试。",
    ERR_WRITE_INCOMPLETE: "没有写完（磁盘可能已满），原来的文件没有变。",
    ERR_REQUEST_INVALID: "请求的格式不正确。",
    ERR_REQUEST_TOO_LARGE: "请求太大。",
    ERR_FORBIDDEN: "没有权限。",
    ERR_SIGNED_OUT: "登录已失效，请重新打开此页面。",
    ERR_OFFLINE: "连接不上，稍后会自动重试。",
    unknown: "没有完成，请查看服务端日志。",
  },
  en: {
    ERR_MEMORY_EMPTY: "The content must not be empty.",
    ERR_MEMORY_TOO_LONG: "The content is longer than 200 characters. Make it shorter.",
    ERR_MEMORY_SECRET:
      "This looks like a credential and was not saved: memories are sent to the model provider.",
    ERR_MEMORY_INVALID: "This memory does not have the right form.",
    ERR_MEMORY_NOT_FOUND: "There is no such memory; it may have been deleted.",
    ERR_MEMORY_PINNED_LIMIT:
      "Too much is pinned: more than the limit or the budget of memories holds. Unpin some first.",
    ERR_CANDIDATE_NOT_FOUND: "Nothing like this waits for a decision; it may have been decided already.",
    ERR_ASSET_NOT_FOUND: "There is no such file, or it can't be read.",
    ERR_SETTING_INVALID: "This value does not fit; the limit must be an integer from 10 to 1000.",
    ERR_USER_INVALID: "A user's id must not be empty.",
    ERR_LOCKED: "Another program is writing. Try again in a moment.",
    ERR_WRITE_INCOMPLETE: "Not written whole (the disk may be full); the old file is unchanged.",
    ERR_REQUEST_INVALID: "The request does not have the right form.",
    ERR_REQUEST_TOO_LARGE: "The request is too large.",
    ERR_FORBIDDEN: "This is not allowed.",
    ERR_SIGNED_OUT: "You are signed out. Open this page anew.",
    ERR_OFFLINE: "No connection; the page keeps trying.",
    unknown: "Not done; the server's log says more.",
  },
};
