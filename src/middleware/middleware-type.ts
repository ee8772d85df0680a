import type { AgentMiddleware } from "langchain";

type Plain = AgentMiddleware<undefined, undefined, unknown>;

/**
 * Middleware that adds nothing to the types of an agent: no state, no context, no tools. That it has no tools is said of the
 * members: a parameter of `AgentMiddleware` for them came with `langchain` 1.2.7, and a declaration that names it would
 * not compile beside an older one.
 */
export type CrossSessionMemoryMiddleware = Omit<Plain, "tools" | "~middlewareTypes"> & {
  readonly tools?: [];
  readonly "~middlewareTypes"?: Plain extends { "~middlewareTypes"?: infer Types }
    ? Omit<NonNullable<Types>, "Tools"> & { readonly Tools: readonly [] }
    : never;
};
