/** The name under which every reply says that no language model wrote it. */
export declare const modelName: "stand-in-model";

export interface StandInOptions {
  /** Port on 127.0.0.1. Default 0: a free one. */
  readonly port?: number;
  /** Called with one line for each request: its kind and how many messages it holds, never what they say. */
  readonly log?: (line: string) => void;
  /** How long an answer takes, in milliseconds. Default 0. */
  readonly chatDelayMs?: number;
  /** How long an extraction or a summary takes, in milliseconds. Default 0. */
  readonly extractionDelayMs?: number;
}

export interface StandInRequest {
  readonly path: string;
  readonly kind: "chat" | "extraction" | "summary";
  /** The request's body as it was parsed. */
  readonly body: {
    readonly model?: string;
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    readonly [key: string]: unknown;
  };
}

export interface StandInModel {
  /** For `configuration.baseURL` of `ChatOpenAI`, or for `OPENAI_BASE_URL`. */
  readonly baseURL: string;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly StandInRequest[];
  close(): Promise<void>;
}

export declare function startStandInModel(options?: StandInOptions): Promise<StandInModel>;
