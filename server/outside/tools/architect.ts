/** Architect tools; people publish. */
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { toCanonicalJson, type JsonObject } from "@/lib/json";
import {
  architectDraft,
  architectDraftInput,
  architectPublish,
  architectPublishInput,
  architectValidate,
  architectValidateInput,
  type ArchitectCall,
  type DraftAnswer,
} from "@/server/architect/tools";
import { toRefused, succeeded, type OutsideError } from "@/server/outside/answer";
import type { Caller } from "@/server/outside/caller";
import { allows, deny } from "@/server/outside/place";
import { toPlain } from "@/server/outside/reports";
import { buildArgumentsSchema, CHANGES, READS, type Answer, type OutsideTool } from "@/server/outside/tool";
import { askForSecondPerson } from "@/server/web/publishing";
import { getWebVault } from "@/server/web/web-vault";
import { malformed } from "./refusals";

const callOf = ({ workspaceId, token, signer }: Caller): ArchitectCall => ({
  vault: getWebVault(),
  workspaceId,
  principal: { type: "agent", token: token.id, owner: token.ownerId, scopes: [...token.scopes] },
  graphs: token.graphs,
  requestVersion: async (draft) => {
    const asked = await askForSecondPerson(workspaceId, { type: "agent", token: token.id, session: null, signer }, draft);
    if (asked.status !== "requested") throw new AppError("invalid_graph");

    return asked.id;
  },
});

/** Marks model-written content for its reader. */
const quoted = (value: object): JsonObject => ({ $untrusted: { text: toCanonicalJson(toPlain(value)), sources: ["architect"] } });

/** Converts a draft for the wire. */
export const toDraftResult = ({ graph, wider, narrower, warnings, problems, ...said }: DraftAnswer): JsonObject => ({
  ...said,
  graph: graph && quoted(graph),
  wider: quoted(wider),
  narrower: quoted(narrower),
  warnings: quoted(warnings),
  problems: quoted(problems),
});

const CODES: Partial<Record<AppError["code"], OutsideError>> = { forbidden: "scope_missing", not_found: "not_found" };

type Work<S extends z.ZodType> = (call: ArchitectCall, input: z.output<S>) => Promise<JsonObject>;

const architectTool = <S extends z.ZodType>(tool: Omit<OutsideTool, "run" | "scope">, schema: S, work: Work<S>): OutsideTool => ({
  ...tool,
  scope: "architect",
  run: async ({ caller }, args): Promise<Answer> => {
    const standing = { caller, session: null, opened: null };
    if (!allows(caller, "architect")) {
      await deny(caller, null, "graph");

      return toRefused(standing, { error: "scope_missing", requested: null });
    }
    const parsed = schema.safeParse(args);
    if (!parsed.success) return malformed(caller);
    try {
      return succeeded(standing, tool.name, { result: await work(callOf(caller), parsed.data) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await deny(caller, null, "graph");

      return toRefused(standing, { error: CODES[error.code] ?? "architect_refused", requested: null });
    }
  },
});

/** Arguments have to be one object. */
const draftArguments = z.strictObject(
  Object.assign({}, ...architectDraftInput.options.map(({ shape }) => z.strictObject(shape).partial().shape)) as z.ZodRawShape,
);

export const ARCHITECT_DRAFT = architectTool(
  {
    name: "architect_draft",
    title: "Have a graph drawn",
    description:
      "Has a model draw a graph, or change one (graph_id): give description and model. It takes a while: call again with the job that the answer names. What comes of it is a draft, and it is checked.",
    annotations: { ...CHANGES, destructiveHint: false },
    inputSchema: () => buildArgumentsSchema(draftArguments),
  },
  architectDraftInput,
  async (call, input) => toDraftResult(await architectDraft(call, input)),
);

export const ARCHITECT_VALIDATE = architectTool(
  {
    name: "architect_validate",
    title: "Check a graph",
    description: "Whether a graph keeps to everything that a drawn one must, and its problems if not. Nothing is stored.",
    annotations: READS,
    inputSchema: () => buildArgumentsSchema(architectValidateInput),
  },
  architectValidateInput,
  async (call, input) => {
    const { ok, problems, warnings } = await architectValidate(call, input);

    return { ok, problems: quoted(problems), warnings: quoted(warnings) };
  },
);

export const ARCHITECT_PUBLISH = architectTool(
  {
    name: "architect_publish",
    title: "Ask for publication",
    description: "Saves the proposed graph as a draft and asks people to publish it. Only a person can.",
    annotations: { ...CHANGES, destructiveHint: false },
    inputSchema: () => buildArgumentsSchema(architectPublishInput),
  },
  architectPublishInput,
  async (call, input) => ({ ...(await architectPublish(call, input)) }),
);
