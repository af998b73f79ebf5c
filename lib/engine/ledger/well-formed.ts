import { uuidSchema } from "@/lib/ids";
import { toPlainJson } from "@/lib/json";
import { commandBodySchema, workBodySchema, type ProposalBody } from "@/lib/engine/proposal";

const MOST = { maxBytes: 64 * 1_048_576, maxDepth: 64 };
/** `decide` refuses these itself. */
const JUDGED_LATER: Readonly<Partial<Record<ProposalBody["kind"], string>>> = {
  start: "inputs",
  node_result: "actions",
  action: "action",
  effect_intent: "arguments",
  step: "inputs",
  answer_wait: "value",
  request_approval: "inputs",
  node_failure: "detail",
  task_failure: "detail",
  // Outcomes happened, so they are handled, not refused.
  effect_outcome: "result",
  effect_input: "request",
};

const KINDS: readonly string[] = [...commandBodySchema.options, ...workBodySchema.options].map((option) => option.shape.kind.value);

/** Returns the kind or `unknown`, since records take no untrusted data. */
export const getKind = (body: unknown): string => {
  const kind: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "kind") : undefined;

  return typeof kind === "string" && KINDS.includes(kind) ? kind : "unknown";
};

const withoutWorlds = (body: ProposalBody): unknown => {
  if (body.kind === "effect_outcome") return { ...body, result: null };

  return body.kind === "effect_input" ? { ...body, request: null } : body;
};

/** Validates a body: executors may be foreign programs. */
export const isWellFormed = (body: ProposalBody): boolean => {
  try {
    const later = JUDGED_LATER[body.kind];
    if (!toPlainJson(later === undefined ? body : { ...body, [later]: null }, MOST).ok) return false;
    if (body.kind === "start") {
      const {
        author,
        approvals: _inForce,
        rules: _also,
        env: _found,
        event: _received,
        artifacts: _given,
        inputs: _judgedLater,
        ...rest
      } = body;

      return uuidSchema.safeParse(author).success && commandBodySchema.safeParse({ ...rest, inputs: {} }).success;
    }
    if (body.kind === "fork") {
      const { author, approvals: _inForce, rules: _also, start: _fromRecord, widens: _compared, refused: _found, ...rest } = body;

      return uuidSchema.safeParse(author).success && commandBodySchema.safeParse(rest).success;
    }
    if (body.kind === "decision") {
      const { passkey: _found, lapsed: _looked, availability: _asked, via: _from, token: _by, ...rest } = body;

      return commandBodySchema.safeParse(rest).success;
    }
    if (body.kind === "comment") {
      const { via: _from, ...rest } = body;

      return commandBodySchema.safeParse(rest).success;
    }
    const judged = withoutWorlds(body);

    return workBodySchema.safeParse(judged).success || commandBodySchema.safeParse(judged).success;
  } catch {
    return false;
  }
};
