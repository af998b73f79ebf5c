/** Decides whether an agent's last turn is its answer. */
import type { ThreadMessage } from "@/lib/engine/thread";
import { listSchemaFaults } from "@/lib/graph/schema-faults";
import type { JsonObject } from "@/lib/json";
import { parseJsonAnswer } from "@/server/executors/answer-json";

type Assistant = Extract<ThreadMessage, { role: "assistant" }>;
type Thread = readonly ThreadMessage[];
type Form = { readonly answer: "text" | "json"; readonly answerSchema?: JsonObject | undefined };

/** Per task and attempt. */
const MOST_REPAIRS = 2;
/** In a row. */
const MOST_CONTINUATIONS = 2;
const MAX_FAULTS = 10;
const MAX_CHECK_CHARACTERS = 2_000;

const CONTINUE = "Your answer was cut off at the length limit. Continue exactly where it ended, and repeat nothing.";
const SHORTER = "Your answer was cut off at the length limit, so none of it was used. Answer again in full, but shorter.";

const isAssistant = (message: ThreadMessage | undefined): message is Assistant => message?.role === "assistant";

/** Lists what does not fit, in the schema's words alone. */
const listAnswerFaults = (text: string, { answer, answerSchema }: Form): readonly string[] => {
  const value = answer === "json" ? parseJsonAnswer(text) : text;
  if (value === undefined) return ["It is not one JSON value."];
  const faults = answerSchema === undefined ? [] : listSchemaFaults(answerSchema, value);

  return faults
    .slice(0, MAX_FAULTS)
    .map(({ path, expected }) => `${path.length === 0 ? "The whole" : path.join("/")}: expected ${expected}`);
};

/** Walks back over turns that continue each other: each cut-off turn is followed by a check. */
const listContinued = (thread: Thread): readonly Assistant[] => {
  const last = thread.at(-1);
  if (!isAssistant(last)) return [];
  const before = thread.at(-3);

  return thread.at(-2)?.role === "check" && isAssistant(before) && before.truncated
    ? [...listContinued(thread.slice(0, -2)), last]
    : [last];
};

const countRepairs = (thread: Thread): number =>
  thread.filter((message, index) => {
    const before = thread[index - 1];

    return message.role === "check" && isAssistant(before) && !before.truncated;
  }).length;

export type Checked =
  | { readonly type: "answer"; readonly text: string }
  | { readonly type: "again"; readonly check: ThreadMessage }
  | { readonly type: "truncated" };

/**
 * Checks a final turn without calls. Returns a misfit repaired too often: the control plane must refuse it on record.
 * @param mayAsk whether the agent has a step left
 */
export const checkAnswer = (thread: Thread, form: Form, mayAsk: boolean): Checked => {
  const turns = listContinued(thread);
  const again = (text: string): Checked => ({ type: "again", check: { role: "check", text: text.slice(0, MAX_CHECK_CHARACTERS) } });
  if (turns.at(-1)?.truncated) {
    return mayAsk && turns.length <= MOST_CONTINUATIONS ? again(form.answer === "text" ? CONTINUE : SHORTER) : { type: "truncated" };
  }
  // JSON is answered again in full.
  const text = form.answer === "text" ? turns.map((turn) => turn.text).join("") : (turns.at(-1)?.text ?? "");
  const faults = mayAsk && countRepairs(thread) < MOST_REPAIRS ? listAnswerFaults(text, form) : [];

  return faults.length === 0 ? { type: "answer", text } : again(`Your answer does not fit.\n${faults.join("\n")}\nAnswer again, in full.`);
};
