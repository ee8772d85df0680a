/*
 * Fake credentials, put together at run time: none stands whole in a file, so that no scanner of the repository stops at
 * them. Exactly the credential must be found, and nothing of what stands around it.
 */

const letters = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY";

export function fake(length: number, alphabet = letters): string {
  return Array.from({ length }, (_, index) => alphabet[(index * 7 + 3) % alphabet.length]).join("");
}

const hex = (length: number) => fake(length, "0123456789abcdef");
const key = (...parts: string[]) => parts.join("");

export const openAiKey = key("sk", "-", fake(48));
export const projectKey = key("sk", "-proj-", "A".repeat(40));
export const githubToken = key("gh", "p_", "0".repeat(36));
export const jwt = key("ey", "JhbGciOiJIUzI1NiJ9.", "ey", "JzdWIiOiIxMjM0NTY3ODkwIn0.", fake(43));
const pemLines = Array.from({ length: 12 }, () => key("MII", fake(61)));
const pemBegin = key("-----BEGIN ", "RSA PRIVATE", " KEY-----");
const pemEnd = key("-----END ", "RSA PRIVATE", " KEY-----");
export const pem = [pemBegin, ...pemLines, pemEnd].join("\n");
const pemOneLine = [pemBegin, ...pemLines, pemEnd].join(" ");
const pemEscaped = [pemBegin, ...pemLines, pemEnd].join("\\n");
const opensshPem = [
  key("-----BEGIN ", "OPENSSH PRIVATE", " KEY-----"),
  ...pemLines,
  key("-----END ", "OPENSSH PRIVATE", " KEY-----"),
].join("\n");
const pemCut = [pemBegin, ...pemLines.slice(0, 4)].join("\n");

/** What stands before the credential, the credential, what stands after it. */
type Sample = readonly [before: string, credential: string, after: string];
const around = (before: string, credential: string, after = ""): Sample => [before, credential, after];

export const credentials: readonly Sample[] = [
  // Known by their shape
  around("API key is ", key("sk", "-test-", "0".repeat(28))),
  around("My OpenAI key: ", openAiKey),
  around("OPENAI_API_KEY=", projectKey),
  around("用户的 OpenAI 密钥是", key("sk", "-proj-", fake(60)), "，请记住"),
  around("Claude 的 key 用 ", key("sk", "-ant-api03-", fake(80), "AA"), "。"),
  around("DeepSeek：", key("sk", "-", hex(32))),
  around("", key("sk", "-or-v1-", hex(64)), " 是 OpenRouter 的"),
  around("", githubToken),
  around("推代码用 ", key("gh", "o_", fake(36)), "，别写进仓库"),
  around("git remote: ", key("https", "://x-access-token:", "gh", "s_", fake(36), "@github.com/a/b")),
  around("fine grained ", key("github", "_pat_", fake(22), "_", fake(59))),
  around("GitLab 用", key("gl", "pat-", fake(20))),
  around("AWS ", key("AK", "IA", fake(16, "ABCDEFGHIJKLMNOP234567")), " in eu-west-1"),
  around("临时凭证 ", key("AS", "IA", fake(16, "ABCDEFGHIJKLMNOP234567"))),
  around("aws_secret_access_key = ", fake(40)),
  around("Maps key ", key("AI", "za", fake(35)), "!"),
  around("slack bot ", key("xo", "xb-", "123456789012-1234567890123-", fake(24))),
  around("slack user ", key("xo", "xp-", "1234567890-1234567890-", hex(32))),
  around("Stripe: ", key("sk", "_live_", fake(24))),
  around("restricted ", key("rk", "_live_", fake(24))),
  around("//registry/:_authToken=", key("np", "m_", fake(36))),
  around("阿里云 AccessKey：", key("LT", "AI", fake(20)), "，"),
  around("腾讯云 SecretId ", key("AK", "ID", fake(32))),
  around("LangSmith ", key("ls", "v2_pt_", hex(32), "_", hex(10))),
  around("Tavily ", key("tv", "ly-dev-", fake(32))),
  around("HF ", key("h", "f_", fake(34))),
  around("groq ", key("g", "sk_", fake(52))),
  around("机器人 ", key("123456789", ":", "AA", fake(33))),
  around("session ", jwt),
  around("Authorization: Bearer ", fake(40)),
  around("curl -H 'authorization: bearer ", hex(32), "' https://a.example"),
  around("Authorization: Basic ", key("dXNlcjpw", "YXNzd29yZA==")),
  around("key:\n", pem, "\nthanks"),
  around("私钥如下：", pemOneLine, "（保密）"),
  around('{"private_key":"', pemEscaped, '"}'),
  around("", opensshPem),
  around("开头是 ", pemCut),
  around("SendGrid ", key("S", "G.", fake(22), ".", fake(43))),
  around("Shopify ", key("shp", "at_", hex(32))),
  around("Linear ", key("lin", "_api_", fake(40))),
  around("hook ", key("https://hooks.slack", ".com/services/T", fake(8), "/B", fake(8), "/", fake(24))),
  around(
    "飞书机器人：",
    key("https://open.feishu", ".cn/open-apis/bot/v2/hook/", hex(8), "-aaaa-bbbb-cccc-", hex(12)),
  ),
  around(
    "企业微信 ",
    key("https://qyapi.weixin", ".qq.com/cgi-bin/webhook/send?key=", hex(8), "-aaaa-bbbb-", hex(16)),
  ),

  // Addresses with a password
  around("DB: ", key("postgres", "://app:", "s3cret@", "db.internal:5432/app")),
  around("连接串是 ", key("mongodb+srv", "://root:", "Pa55word@", "cluster0.example.net/test"), "，生产环境"),
  around("缓存 ", key("redis", "://:", "foobared@", "10.0.0.5:6379/0")),
  around("队列 ", key("amqp", "://guest:", "gu3st@", "mq:5672"), "。"),
  around("仓库地址 ", key("https", "://bob:", "hunter2@", "git.example.com/a.git"), " 拉取"),
  around("", key("mysql", "://root:", "root@", "localhost:3306/shop")),
  around("含特殊字符 ", key("postgresql", "://u:", "p@ss:w0rd!@", "host/db")),

  // Cards
  around("Card ", "4111 1111 1111 1111"),
  around("卡号：", "4111-1111-1111-1111", "，有效期 12/30"),
  around("银行卡 ", "6222021234567890128"),
  around("amex ", "378282246310005", "."),
  around("mc ", "5105105105105100"),

  // "The password is …"
  around("DB password is ", "hunter2"),
  around("The database password is ", "hunter2", "."),
  around("My wifi password's ", "Tr0ub4dor&3", " by the way"),
  around("password: ", "x9!"),
  around("Password: ", "swordfish"),
  around("passwd=", "letmein", " host=db1"),
  around("PWD = '", "hunter pelican", "'"),
  around("The wifi password is ", "sunflower", "!"),
  around("the password for the staging server is ", "Abc12345", ", ok?"),
  around("I changed my password to ", "Winter2024!", " yesterday"),
  around("The admin password was set to ", "P@ssw0rd"),
  around("the root password is '", "toor", "'"),
  around("user admin with password ", "Admin@123", " on port 22"),
  around("pass phrase is ", "correct-horse-battery-staple"),
  around('password = "', "open sesame", '"'),
  around('{"user":"bob","password":"', "hunter2", '","port":1}'),
  around("DB_PASSWORD=", "hunter2", "\nDB_HOST=db"),
  around("Server=db;Password=", "Abc#123", ";Database=shop"),
  around("- **Password:** ", "hunter2"),
  around("**密码**：", "hunter2"),
  around("mysql -u root -p", "S3cret!", " shop"),
  around("docker login --password ", "hunter2", " reg"),
  around("curl -u bob:", "hunter2", " https://a.example"),
  around("sshpass -p ", "hunter2", " ssh root@h"),
  around("PIN is ", "4821"),
  around("the verification code is ", "482913", "."),
  around("OTP: ", "391847"),
  around("密码是 ", "hunter2"),
  around("密码是", "hunter2", "，别告诉别人"),
  around("密码为", "Abc@2024", "。"),
  around("密码：", "123456", "，端口 3306"),
  around("用户的密码是「", "swordfish", "」"),
  around("用户的 WiFi 密码是“", "88888888", "”。"),
  around("口令：", "tianwang", "\n下一行"),
  around("数据库密码 ", "hunter2"),
  around("数据库密码", "hunter2", " 不要外传"),
  around("服务器密码改成了 ", "Qwer!234", "，已生效"),
  around("root 的密码已经改为 ", "N3wPass", " 了"),
  around("验证码是 ", "123456"),
  around("验证码：", "8842", "，5 分钟内有效"),
  around("PIN 码：", "9931"),
  around("支付密码是", "135790", "。"),
  around("账号 root 密码 ", "root"),
  around("用户名：admin，密码：", "admin", "，端口 22"),
  around("账号密码：", "admin/Admin@123"),
  around("密码（root 用户）是 ", "toor123", "。"),
  around("😀密码是", "hunter2", "😀"),
  around("密码：\n", "hunter2", "\n"),
  around("密码我设的是 ", "Ab12cd34"),
  around("密码就是 `", "abc123", "`"),

  around("邮箱密码：", "zhang_san888"),
  around("MYSQL_PASSWORD=", "mysql", "\n"),
  around("密码：＂", "hunter2", "＂"),
  around("密码是 ", "12345678", " 位于 db"),
  around("默认密码 ", "admin"),
  around("root密码", "toor"),
  around("路由器后台密码 ", "admin888"),
  around("credentials are ", "admin:S3cure!99"),
  around("<password>", "hunter2", "</password>"),
  around("jdbc:mysql://db:3306/shop?user=root&password=", "hunter2", "&ssl=true"),
  around("redis-cli -h db -a ", "hunter2"),
  around("PGPASSWORD=", "hunter2", " psql"),
  around("spring:\n  datasource:\n    password: ", "hunter2", "\n"),
  around("password (for prod) is ", "hunter2", " since May"),
  around("The passphrase is ", "lunar horse battery staple", "."),
  around("the passphrase is ", "correct horse battery staple", "."),
  around("Your code is ", "482913", "."),
  around("信用卡 CVV ", "123"),

  // "The key is …"
  around("我的 key 是 ", fake(32)),
  around("AK：", fake(20), " 在控制台"),
  around("license key: ", "ABCDE-12345-FGHIJ-67890-KLMNO"),
  around("api key: ", hex(32)),
  around("The API key is ", fake(24), "."),
  around('api_key = "', fake(20), '"'),
  around("client secret is ", fake(32)),
  around("JWT_SECRET=", "mysupersecretphrase"),
  around("secret: ", "s3cr3tvalue99"),
  around("访问令牌为 ", fake(30), "，有效期一年"),
  around("SecretKey：", fake(32)),
  around("https://oapi.example.com/robot/send?access_token=", hex(64), "&v=1"),
  around("token 是 ", hex(40)),
  around("钱包私钥：", key("0x", hex(64))),
  around("助记词：", "abandon ability able about above absent absorb abstract absurd abuse access accident"),
];
