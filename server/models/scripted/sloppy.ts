/** Sloppy persona: wrong in form half of the time. */
import { isJsonObject, toPlainJson, type Json } from "@/lib/json";
import { replyAsHonest } from "./honest";
import { answerJson, say, type Persona, type Reply, type Scene } from "./scene";

const LIMITS = { maxBytes: 1_048_576, maxDepth: 64 };
const FAR_TOO_LONG_CHARACTERS = 30_000;

const wordy = (text: string): string => `${text} `.repeat(Math.ceil(FAR_TOO_LONG_CHARACTERS / (text.length + 1)));

const wrongType = (value: Json): Json => {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return [value];

  return "see above";
};

const mapped = (value: Json, change: (member: Json) => Json): Json =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member)])) : change(value);

const forgetful = (value: Json): Json => (isJsonObject(value) ? Object.fromEntries(Object.entries(value).slice(0, -1)) : value);

/** Equally likely; the first ones are right. */
const HABITS: readonly ((value: Json) => Reply)[] = [
  (value) => answerJson(value),
  (value) => say(`Sure! Here is the JSON:\n\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\nLet me know if you need more.`),
  (value) => answerJson(value),
  (value) => answerJson(mapped(value, wrongType)),
  (value) => answerJson(forgetful(value)),
  (value) => answerJson(mapped(value, (member) => (typeof member === "string" ? wordy(member) : member))),
  (value) => say(`The answer is ${JSON.stringify(value).replaceAll(/[{}[\]]/g, "")}`),
  (value) => answerJson({ ...(isJsonObject(value) ? value : { value }), confidence: "high" }),
];

const FNV_OFFSET = 2_166_136_261;
const FNV_PRIME = 16_777_619;
const LOW_BITS = 16;

const habitOf = (scene: Scene): number => {
  const { agent, node, turn, temperature, memory, task } = scene;
  const seen = JSON.stringify([agent, node, turn, temperature ?? null, memory, task]);

  const hash = Array.from(seen).reduce((sum, one) => Math.imul(sum ^ (one.codePointAt(0) ?? 0), FNV_PRIME) >>> 0, FNV_OFFSET);

  // This hash's low bits hardly vary.
  return hash >>> LOW_BITS;
};

const valueIn = (text: string): Json | undefined => {
  try {
    const plain = toPlainJson(JSON.parse(text), LIMITS);

    return plain.ok ? plain.value : undefined;
  } catch {
    return undefined;
  }
};

export const replyAsSloppy: Persona = (scene) => {
  const reply = replyAsHonest(scene);
  if (reply.calls.length > 0) return reply;
  const habit = habitOf(scene);
  const value = scene.answer === "json" ? valueIn(reply.text) : undefined;
  if (value !== undefined) return HABITS[habit % HABITS.length]?.(value) ?? reply;

  return habit % 4 === 0 ? say(wordy(reply.text)) : reply;
};
