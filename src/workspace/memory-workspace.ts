import { type AssembledContext, assemble } from "../context/index.js";
import { MemoryError } from "../errors.js";
import { type MemoryItem, maxContentLength } from "../memory/memory-item.js";
import type { MemoryStore } from "../memory/memory-store.js";
import type { DayUsage } from "../memory/usage.js";
import type { LoadedAsset } from "../prompt-assets/index.js";
import { codePointLength } from "../text/index.js";
import { Assets } from "./assets.js";
import type { ExtractionResult } from "./attempts.js";
import { Candidates } from "./candidates.js";
import { type CopyCount, type CopyOptions, type CopyPlace, copyWorkspace } from "./copy.js";
import { type Environment, systemEnvironment } from "./environment.js";
import { Learning, type RecordOptions } from "./learning.js";
import { Memories } from "./memories.js";
import { MemoryChanges } from "./memory-changes.js";
import { MemoryChoice } from "./memory-choice.js";
import type { WorkspaceOptions } from "./options.js";
import { resolveOptions } from "./resolve-options.js";
import { Sessions, Waiting } from "./sessions.js";
import { WorkspaceSettings } from "./settings.js";
import { makeSharedParts, partsOver, type SharedParts } from "./shared-parts.js";

export interface AssembleOptions {
  /**
   * Where given and `summary` is not, this session's own rolling summary is the fourth segment. A `selection` changes a
   * session's memories only where it is worth it.
   */
  readonly sessionId?: string | undefined;
  /** The user's words now, for the option `selection`. Default: none. */
  readonly query?: string | undefined;
  /** The fourth segment. */
  readonly summary?: string | undefined;
  /** What the app says of the session now: the fifth segment. */
  readonly sessionContext?: string | undefined;
  /** Comes last in the fifth segment, under a budget of its own. */
  readonly planContext?: string | undefined;
  /** A temporary run: rules and skills, no memories. Default: false. */
  readonly isTemporary?: boolean | undefined;
}

/**
 * The engine: one for an app. It owns the files under `dir` and all background work; a chain's memory, the middleware and
 * the wrapper are thin adapters over it. Without users it is one person's memory; `forUser` keeps many apart.
 *
 * Importing and constructing touch no disk. What a run calls (`assembleContext`, `recordTurn`, `extractNow`, `idle`)
 * never rejects; what a person calls does, with a `code`.
 *
 * @throws TypeError or RangeError (`code` `ERR_OPTION_…`) that names the option, the value and the range.
 * @example
 * const workspace = new MemoryWorkspace({ dir: "./ai", model });
 * const { text } = await workspace.assembleContext();
 * await workspace.recordTurn("session-1", [["human", "I use pnpm."], ["ai", "Noted."]]);
 */
export class MemoryWorkspace {
  readonly memories: Memories;
  /** What was learned and waits for a person's yes, where `review` is on. */
  readonly candidates: Candidates;
  readonly rules: Assets;
  readonly skills: Assets;
  readonly settings: WorkspaceSettings;
  readonly waiting: Waiting;
  readonly sessions: Sessions;
  /** @internal What the doors need of the engine. */
  readonly parts: SharedParts;
  readonly #store: MemoryStore;
  readonly #learning: Learning;
  readonly #choice: MemoryChoice;
  readonly #users = new Map<string, MemoryWorkspace>();

  constructor(options?: WorkspaceOptions, environment?: Environment);
  /** @internal The workspace of a user shares the parts of the app's. */
  constructor(options: WorkspaceOptions, environment: Environment, user: UserParts);
  constructor(
    options: WorkspaceOptions = {},
    environment: Environment = systemEnvironment,
    user?: UserParts,
  ) {
    this.parts = user?.shared ?? makeSharedParts(resolveOptions(options), environment);
    this.#store = user?.store ?? this.parts.store;
    const { rules, skills, settingsFile, reporter } = this.parts;
    this.settings = new WorkspaceSettings(this.parts.options, this.#store.settings, settingsFile, reporter);
    this.#choice = new MemoryChoice(this.parts, this.#store);
    const onStored = () => this.#choice.stored();
    this.#learning = new Learning(this.parts, this.#store, this.settings, onStored);
    this.rules = new Assets(rules, this.settings, "aiRulesDisabled");
    this.skills = new Assets(skills, this.settings, "aiSkillsDisabled");
    const { memories: collection, replaced, candidates, extraction: states } = this.#store;
    const changes = new MemoryChanges({
      collection,
      limit: async () => (await this.settings.get()).aiMemoryLimit,
      memoryBudget: this.parts.options.memoryBudget,
      texts: this.parts.locale.context,
      onStored,
      onEvicted: (count) =>
        reporter.warnOnce(
          `evicted ${count}`,
          `${count} memories beyond the limit were evicted, the oldest first`,
        ),
    });
    this.memories = new Memories({
      collection,
      replaced,
      candidates,
      states,
      changes,
      environment,
      nearDuplicates: this.parts.options.nearDuplicates,
      clearWaiting: () => this.#learning.clearWaiting(),
    });
    this.candidates = new Candidates({ candidates, states, changes, environment });
    this.waiting = new Waiting(this.#store, () => this.#learning.clearWaiting());
    this.sessions = new Sessions(
      this.#store,
      (sessionId) => this.#learning.forgetWaiting(sessionId),
      async (sessionId) =>
        (await this.memories.removeLearned(sessionId)) + (await this.candidates.removeLearned(sessionId)),
    );
  }

  /** The home of this workspace's memories. */
  get store(): MemoryStore {
    return this.#store;
  }

  /**
   * Gives the segments for the next model call, read anew. What can't be read is left out, with one warning.
   */
  async assembleContext(options: AssembleOptions = {}): Promise<AssembledContext> {
    const { options: budgets, locale, rules: ruleFolder, skills: skillFolder } = this.parts;
    const [settings, memories, rules, skills, summary] = await Promise.all([
      this.settings.get(),
      this.#readMemories(),
      ruleFolder.load(),
      skillFolder.load(),
      options.summary ?? this.#summaryOf(options.sessionId),
    ]);
    const usable = settings.aiMemoryEnabled && options.isTemporary !== true ? memories : [];
    this.#warnOfLong(usable);
    return assemble(
      {
        rules: settings.aiRulesEnabled ? without(rules, settings.aiRulesDisabled) : [],
        skills: settings.aiSkillsEnabled ? without(skills, settings.aiSkillsDisabled) : [],
        memories: usable,
        chosen: budgets.selection === "newest" ? undefined : await this.#choice.of(usable, options),
        summary,
        sessionContext: options.sessionContext,
        planContext: options.planContext,
      },
      budgets,
      locale.context,
    );
  }

  /**
   * Records a completed turn: the turn alone or the whole conversation, of which the last turn is taken, less what is
   * known. Resolves when the turn is acknowledged; extraction follows in the background. Messages may be LangChain's
   * own, `{ role, content }`, `["human", "hi"]` pairs or strings.
   */
  recordTurn(sessionId: string, messages: readonly unknown[], options?: RecordOptions): Promise<void> {
    return this.#learning.record(sessionId, messages, options);
  }

  /**
   * Distils what waits now, whatever its length, part by part; of one session or of all. Does nothing while memory is
   * switched off.
   */
  extractNow(sessionId?: string): Promise<ExtractionResult> {
    return this.#learning.extractNow(sessionId);
  }

  /**
   * What learning cost and brought on each of the last 30 days that have anything, newest last; of all processes, also
   * across restarts.
   */
  usage(): Promise<DayUsage[]> {
    return this.#learning.usage();
  }

  /** Resolves when no background work is left: at the end of a script, or by `waitUntil` in a serverless handler. */
  idle(): Promise<void> {
    return this.parts.background.idle();
  }

  /** Starts no background work any more and waits for what is running. What was not distilled waits for the next process. */
  async close(): Promise<void> {
    this.parts.close();
    await this.idle();
  }

  /**
   * Copies everything of this workspace's own (not of its users) to another home, between files and LangGraph stores in
   * either direction. Nothing is removed; run again, it goes on where it broke off and doubles nothing. Counts what it moved.
   *
   * @throws where a home can't be read or written.
   */
  copyTo(target: CopyPlace, options?: CopyOptions): Promise<CopyCount> {
    return copyWorkspace(this, target, options);
  }

  /**
   * The memories of one of many users: everything but rules and skills is theirs alone.
   *
   * @throws MemoryError `ERR_USER_INVALID` for anything but a non-empty string.
   */
  forUser(userId: string): MemoryWorkspace {
    checkUserId(userId);
    const known = this.#users.get(userId);
    this.#users.delete(userId);
    const user = known ?? this.#openUser(userId);
    this.#users.set(userId, user);
    if (this.#users.size > maxOpenUsers) this.#letGo();
    return user;
  }

  /** Removes everything of one user. Gives whether there was anything. */
  async deleteUser(userId: string): Promise<boolean> {
    checkUserId(userId);
    this.#users.delete(userId);
    return this.parts.store.deleteUser(userId);
  }

  /** @internal The same rules, skills and options with the memories in another home. */
  over(store: MemoryStore): MemoryWorkspace {
    return new MemoryWorkspace({}, this.parts.environment, { shared: partsOver(this.parts, store), store });
  }

  #openUser(userId: string): MemoryWorkspace {
    const user = { shared: this.parts, store: this.parts.store.forUser(userId) };
    return new MemoryWorkspace({}, this.parts.environment, user);
  }

  /** The least lately used whose every word is in a file. */
  #letGo(): void {
    for (const [userId, user] of this.#users) {
      if (this.#users.size <= maxOpenUsers) return;
      if (!user.#learning.isHolding) this.#users.delete(userId);
    }
  }

  async #readMemories(): Promise<readonly MemoryItem[]> {
    const { reporter } = this.parts;
    try {
      const memories = await this.#store.memories.read();
      reporter.recovered("reading memories");
      return memories;
    } catch (error) {
      const { code } = error as { code?: unknown };
      const reason = typeof code === "string" ? code : "unknown reason";
      reporter.warnOnce("reading memories", `memories can't be read (${reason}); going on without`);
      return [];
    }
  }

  /** Once in a process: with many users, those without a long one would have it said again at each turn. */
  #warnOfLong(memories: readonly MemoryItem[]): void {
    const isLong = ({ content }: MemoryItem) =>
      content.length > maxContentLength && codePointLength(content) > maxContentLength;
    if (!memories.some(isLong)) return;
    this.parts.reporter.warnOnce(
      "long memories",
      `${memories.filter(isLong).length} memories are longer than ${maxContentLength} characters and are cut in the prompt; they stay whole where they are kept`,
    );
  }

  async #summaryOf(sessionId: string | undefined): Promise<string | undefined> {
    if (sessionId === undefined) return undefined;
    // The session's record has its own warning where it is written.
    return (await this.#store.sessions.read(sessionId).catch(() => undefined))?.summary;
  }
}

interface UserParts {
  readonly shared: SharedParts;
  readonly store: MemoryStore;
}

/** So many users' workspaces are kept open in one process; the others are opened anew when they speak. */
const maxOpenUsers = 1000;

function checkUserId(userId: unknown): void {
  if (typeof userId !== "string" || userId === "") {
    throw new MemoryError("ERR_USER_INVALID", "userId must be a non-empty string");
  }
}

function without(assets: readonly LoadedAsset[], disabled: readonly string[]): readonly LoadedAsset[] {
  if (disabled.length === 0) return assets;
  const filenames = new Set(disabled);
  return assets.filter(({ filename }) => !filenames.has(filename));
}
