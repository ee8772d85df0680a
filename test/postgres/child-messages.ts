export interface ChildSetup {
  readonly url: string;
  readonly schema: string;
  readonly modelUrl: string;
  readonly dir: string;
}

export interface ChildTurn {
  readonly user: string;
  readonly session: string;
  readonly messages: readonly { readonly role: string; readonly id: string; readonly content: string }[];
}

/** Take a turn; without one, say when no background work is left; or end. */
export interface ChildRequest {
  readonly number: number;
  readonly isEnd?: boolean | undefined;
  readonly turn?: ChildTurn | undefined;
}

export interface ChildAnswer {
  readonly number?: number;
  readonly ready?: boolean;
  readonly context?: string;
  readonly failure?: string;
}
