/** Generic persona: fills any schema with plausible values and obeys simple instructions of the version. */
import type { Json } from "@/lib/json";
import { fillSchema, type Told } from "./fill-schema";
import { replyAsHonestZone } from "./honest-zones";
import { replyAsPart } from "./part";
import { answerJson, call, say, type Persona, type Reply, type Scene } from "./scene";
import { findSaid, listDescribed, listNamed } from "./told-values";

/** Offered beside the tools of servers. */
const OWN_TOOLS = ["save_to_memory", "hand_off"];

const toldIn = ({ instructions, memory, task, results, recalled }: Scene): Told => ({
  instructions,
  // Later values are nearer to the answer.
  inputs: [task, ...results.map(({ result }) => result).toReversed(), memory, recalled],
});

const CALLS_NONE = /\b(?:call|use) no tools?\b/iu;

/** The only tool, or the one that the instructions name. */
const findWantedTool = ({ tools, instructions }: Scene): string | undefined => {
  if (CALLS_NONE.test(instructions)) return undefined;
  const callable = tools.filter((name) => !OWN_TOOLS.includes(name));
  const named = callable.filter((name) => instructions.includes(name) || instructions.includes(name.split("__").at(-1) ?? name));

  return callable.length === 1 ? callable[0] : named[0];
};

const callFirst = (scene: Scene): Reply | null => {
  const name = findWantedTool(scene);
  // A refusal or an error is an answer too.
  if (name === undefined || scene.results.some((result) => result.name === name)) return null;
  const { [name]: schema } = scene.toolSchemas;

  return call({ name, input: (schema && fillSchema(schema, toldIn(scene))) ?? {} });
};

const describedSchema = (instructions: string) => {
  const names = listDescribed(instructions);

  return names.length === 0
    ? null
    : { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])), required: [...names] };
};

const answerWithJson = (scene: Scene): Reply => {
  const schema = scene.answerSchema ?? describedSchema(scene.instructions);
  const filled = schema && fillSchema(schema, toldIn(scene));

  return answerJson(filled ?? { node: scene.node, read: Object.keys(scene.memory) });
};

const NAMES_INPUT = /\b(?:return|repeat|quote|pick|copy)\s+(?:the\s+)?["'`]?(\w+)/giu;

/** The input that the instructions name, such as "return the mail". */
const findNamedInput = ({ instructions, memory }: Scene): Json | undefined =>
  [...instructions.matchAll(NAMES_INPUT)].flatMap(([, name = ""]) => listNamed(memory, name))[0];

const answerWithText = (scene: Scene): Reply => {
  const said = findSaid(scene.instructions) ?? findNamedInput(scene);
  if (said !== undefined) return say(typeof said === "string" ? said : JSON.stringify(said));
  const keys = Object.keys(scene.memory);

  return say(`Scripted answer of ${scene.node}, which was shown ${keys.length === 0 ? "no memory" : keys.join(", ")}.`);
};

export const replyAsGeneric: Persona = (scene) => {
  const part = replyAsHonestZone(scene) ?? replyAsPart(scene, "honest");

  return part ?? callFirst(scene) ?? (scene.answer === "json" ? answerWithJson(scene) : answerWithText(scene));
};
