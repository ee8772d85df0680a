import { createAgent, type InferAgentTools, tool } from "langchain";
import { describe, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { MemoryWorkspace } from "../../src/index.js";
import {
  type CrossSessionMemoryMiddlewareOptions,
  crossSessionMemoryMiddleware,
  type MemoryRuntime,
} from "../../src/middleware/index.js";
import { ScriptedModel } from "../support/scripted-model.js";

// Checked by tsc; what runs is only that nothing throws.
const workspace = new MemoryWorkspace({ dir: "never-written" });
const ours = crossSessionMemoryMiddleware(workspace);
const model = new ScriptedModel("hi");

describe("the types of an agent with the middleware", () => {
  test("the middleware's own is no any", () => {
    expectTypeOf(crossSessionMemoryMiddleware).not.toBeAny();
    expectTypeOf(ours).not.toBeAny();
    expectTypeOf(ours.name).toEqualTypeOf<string>();
  });

  test("are those of the agent without it", () => {
    const responseFormat = z.object({ city: z.string() });
    const bare = createAgent({ model, responseFormat });
    const agent = createAgent({ model, responseFormat, middleware: [ours] });
    type Result = Awaited<ReturnType<typeof agent.invoke>>;
    expectTypeOf<Result["structuredResponse"]>().toEqualTypeOf<{ city: string }>();
    expectTypeOf<Result["messages"]>().toEqualTypeOf<Awaited<ReturnType<typeof bare.invoke>>["messages"]>();
    expectTypeOf<keyof Result>().toEqualTypeOf<keyof Awaited<ReturnType<typeof bare.invoke>>>();
  });

  test("name the app's own tools and no others", () => {
    const clock = tool(() => "noon", { name: "clock", schema: z.object({}) });
    const bare = createAgent({ model, tools: [clock] });
    const agent = createAgent({ model, tools: [clock], middleware: [ours] });
    expectTypeOf<InferAgentTools<typeof agent>>().toEqualTypeOf<InferAgentTools<typeof bare>>();
    expectTypeOf<InferAgentTools<typeof agent>["length"]>().toEqualTypeOf<1>();
  });

  test("keep the app's contextSchema", () => {
    const contextSchema = z.object({ userId: z.string(), plan: z.number() });
    const agent = createAgent({ model, contextSchema, middleware: [ours] });
    type Config = NonNullable<Parameters<typeof agent.invoke>[1]>;
    expectTypeOf<NonNullable<Config["context"]>>().not.toBeAny();
    expectTypeOf<NonNullable<Config["context"]>>().toExtend<{ userId: string; plan: number }>();
    // @ts-expect-error: the context of the app is checked
    (): unknown => agent.invoke({ messages: [] }, { context: { userId: 1, plan: 2 } });
  });

  test("options are those of the workspace and its own, and a wrong one does not compile", () => {
    type Options = CrossSessionMemoryMiddlewareOptions;
    expectTypeOf<Options>().not.toBeAny();
    expectTypeOf<Options["name"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Options["dir"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Parameters<NonNullable<Options["userId"]>>>().toEqualTypeOf<[MemoryRuntime]>();
    crossSessionMemoryMiddleware({ workspace, userId: ({ context }) => context.userId, name: "own" });
    // @ts-expect-error: no such option
    (): unknown => crossSessionMemoryMiddleware({ userID: () => "x" });
    // @ts-expect-error: a function of the runtime
    (): unknown => crossSessionMemoryMiddleware({ userId: "anna" });
  });
});
