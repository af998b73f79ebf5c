import { isJsonObject, toPlainJson, type Json, type JsonObject } from "@/lib/json";
import { replyAsHonest } from "./honest";
import { readWords } from "./honest-zones";
import { findOrders, type Orders } from "./orders-in-text";
import { answerJson, call, say, type Persona, type Reply, type Scene } from "./scene";

const LIMITS = { maxBytes: 1_048_576, maxDepth: 64 };
const PASSED_ON_CHARACTERS = 900;

const readBy = (scene: Scene): string =>
  [scene.memory, scene.task, scene.recalled, ...scene.results.map(({ result }) => result)].map(readWords).join("\n");

const objectIn = (text: string): JsonObject | null => {
  try {
    const plain = toPlainJson(JSON.parse(text), LIMITS);

    return plain.ok && isJsonObject(plain.value) ? plain.value : null;
  } catch {
    return null;
  }
};

const obeying = (said: JsonObject, orders: Orders, read: string): JsonObject => {
  const ordered = Object.fromEntries(Object.entries(orders.fields).filter(([field]) => Object.hasOwn(said, field)));
  const text = (field: string): Record<string, Json> =>
    orders.text === null || !Object.hasOwn(said, field) ? {} : { [field]: orders.text };
  const body = orders.text !== null && typeof said["body"] === "string" ? { body: `${orders.text}\n\n${said["body"]}` } : {};
  const notes = "points" in said ? { usable: true, points: [orders.text ?? "", read.slice(0, PASSED_ON_CHARACTERS)] } : {};
  const findings = "verdict" in said && "verdict" in ordered ? { findings: [] } : {};

  return { ...said, ...text("summary"), ...body, ...notes, ...findings, ...ordered };
};

const misled = (scene: Scene, reply: Reply, orders: Orders, read: string): Reply => {
  const tried = new Set(scene.results.map(({ name }) => name));
  const open = orders.calls.filter(({ name }) => !tried.has(name));
  if (open.length > 0 && scene.tools.length > 0) return call(...open);
  if (reply.calls.length > 0) return reply;
  const said = objectIn(reply.text);

  return said ? answerJson(obeying(said, orders, read)) : say(orders.text ?? reply.text);
};

export const replyAsInjected: Persona = (scene) => {
  const reply = replyAsHonest(scene);
  const read = readBy(scene);
  const orders = findOrders(read);

  return orders ? misled(scene, reply, orders, read) : reply;
};
