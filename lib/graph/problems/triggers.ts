import { ANY, nameType, overlaps, typeOfSchema } from "@/lib/graph/cel/types";
import { compileExpression } from "@/lib/graph/condition";
import type { MemoryKey } from "@/lib/graph/document";
import type { Facts } from "@/lib/graph/facts/facts";
import { findScheduleFault } from "@/lib/graph/triggers/occurrence";
import { CLASSIFICATIONS, joinClasses, type Classification } from "@/lib/graph/label";
import { isUsableSchema } from "@/lib/graph/json-schema";
import { getEventSchema } from "@/lib/graph/triggers/mapping";
import { isFromOutside, type Trigger } from "@/lib/graph/triggers/trigger";
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";
import { createProblem, type Problem } from "./problem";

const inputSchema = ({ inputs }: Facts["graph"], name: string): JsonObject | undefined => {
  const properties = ownMember(inputs, "properties");
  const found = isJsonObject(properties) ? ownMember(properties, name) : undefined;

  return isJsonObject(found) ? found : undefined;
};

/** Events count as internal. */
const exceeds = ({ tools }: Facts, trigger: Trigger, key: MemoryKey): Classification | undefined =>
  trigger.kind === "mcp_resource"
    ? [...tools.values()]
        .filter(({ server }) => server === trigger.server)
        .map(({ output }) => output)
        .find((output) => CLASSIFICATIONS.indexOf(output) > CLASSIFICATIONS.indexOf(joinClasses(key.classification, "internal")))
    : undefined;

const ofInput = (facts: Facts, trigger: Trigger, name: string, text: string): Problem[] => {
  const input = (message: string) => [createProblem("trigger_input", {}, `Trigger ${trigger.id} fills ${name}, ${message}.`)];
  if (!facts.inputKeys.has(name)) return input("which is no field of the launch form");
  const key = facts.keys.get(name);
  if (key?.protected === true) return input("which is protected");
  if (key && key.min_integrity !== "untrusted" && isFromOutside(trigger)) return input(`which takes only ${key.min_integrity} values`);
  const confidential = key && exceeds(facts, trigger, key);
  if (confidential) return input(`which is declared ${key.classification}, but its server answers with ${confidential} values`);
  const wrong = (message: string) => [
    createProblem("trigger_expression", {}, `Trigger ${trigger.id} computes ${name} wrongly: ${message}.`),
  ];
  const compiled = compileExpression(text, "event");
  if (!compiled.ok) return wrong(compiled.error);
  const { type, faults } = compiled.value.check({ keys: {}, event: getEventSchema(trigger) });
  if (faults.length > 0) return faults.flatMap(wrong);
  const schema = inputSchema(facts.graph, name);
  const needed = schema ? typeOfSchema(schema) : ANY;

  return overlaps(type, needed) ? [] : wrong(`it is ${nameType(type)}, but the launch form takes ${nameType(needed)}`);
};

const unusable = ({ graph, versions, environments, servers }: Facts, trigger: Trigger): Problem[] => {
  const no = (message: string) => [createProblem("trigger_unusable", {}, `Trigger ${trigger.id} can never start a run: ${message}.`)];
  const { environment } = trigger;
  if (environment !== undefined && environments !== null && !environments.includes(environment))
    return no(`no environment has the id ${environment}`);
  if (graph.external) return no("outside agents drive this graph");
  if (trigger.kind === "run_end" && trigger.graph_id === graph.id) return no("a graph can't follow its own runs");
  if (trigger.kind === "run_end" && !versions.some(({ published }) => published.graph.id === trigger.graph_id))
    return no(`no published graph has the id ${trigger.graph_id}`);
  if (trigger.kind === "mcp_resource" && servers && !servers.has(trigger.server)) return no(`no server has the id ${trigger.server}`);
  if (trigger.kind === "webhook" && !isUsableSchema(trigger.payload)) return no("the schema of its payload is unusable");

  return [];
};

const ofTrigger = (facts: Facts, trigger: Trigger): Problem[] => {
  const required: Json = ownMember(facts.graph.inputs, "required") ?? [];
  const missing = (Array.isArray(required) ? required : []).filter(
    (name) => typeof name === "string" && !Object.hasOwn(trigger.inputs, name),
  );
  const fault = trigger.kind === "schedule" ? findScheduleFault(trigger) : null;

  return [
    ...unusable(facts, trigger),
    ...(fault === null ? [] : [createProblem("trigger_schedule", {}, `The schedule of trigger ${trigger.id} is invalid: ${fault}.`)]),
    ...missing.map((name) => createProblem("trigger_input", {}, `Trigger ${trigger.id} does not fill ${String(name)}, which is required.`)),
    ...Object.entries(trigger.inputs).flatMap(([name, text]) => ofInput(facts, trigger, name, text)),
  ];
};

export const findTriggerProblems = (facts: Facts): Problem[] => {
  const triggers = facts.graph.triggers ?? [];
  const doubled = triggers.filter(({ id }, at) => triggers.findIndex((other) => other.id === id) !== at);

  return [
    ...doubled.map(({ id }) => createProblem("trigger_doubled", {}, `Several triggers are called ${id}.`)),
    ...triggers.flatMap((trigger) => ofTrigger(facts, trigger)),
  ];
};
