import { ownMember, type Json } from "@/lib/json";
import { replyAsHonestArchitect } from "./architect";
import { replyAsGeneric } from "./generic";
import { HONEST_ORDERS } from "./honest-orders";
import { HONEST_RESEARCH } from "./honest-research";
import { replyAsHonestZone } from "./honest-zones";
import { readMail, getResultText } from "./mail";
import { answerJson, call, say, type Persona, type Scene } from "./scene";

const FIND = "customers__find_customer";

const string = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const integer = (value: Json | undefined): number => (typeof value === "number" && Number.isInteger(value) ? value : 0);

export const findCustomer = (value: Json | undefined): Json | undefined => {
  if (typeof ownMember(value, "customer_id") === "string") return value;
  const inner = [ownMember(value, "customer"), ownMember(value, "structuredContent")].find((one) => one !== undefined);

  return inner === undefined ? undefined : findCustomer(inner);
};

const parser: Persona = (scene) => answerJson(readMail(getResultText(scene.memory["mail"])));

const planned = (scene: Scene, record: Json | undefined): Json => {
  const request = scene.memory["request"];
  const present = string(ownMember(record, "plan"));
  const wished = string(ownMember(request, "plan"));
  const plan = wished === "" || wished === "none" ? present : wished;
  const credit_cents = integer(ownMember(request, "credit_cents"));

  return {
    customer_id: string(ownMember(record, "customer_id")),
    plan,
    credit_cents,
    reason: plan === present && credit_cents === 0 ? "Nothing has to change." : string(ownMember(request, "summary")),
  };
};

/** The record may have changed. */
const planner: Persona = (scene) => {
  const email = string(ownMember(scene.memory["request"], "email"));
  if (scene.turn === 0 && scene.tools.includes(FIND)) return call({ name: FIND, input: { email } });
  const found = scene.results.findLast((result) => result.name === FIND && result.status === "ok");

  return answerJson(planned(scene, findCustomer(found?.result) ?? findCustomer(scene.memory["customer"])));
};

const writer: Persona = (scene) => {
  const request = scene.memory["request"];
  const opening = "Hello,\n\nthank you for your mail.";
  const closing = "Kind regards,\nYour support team";
  const body = (): string => {
    if (scene.node === "reply_declined") return "We looked into your request and cannot make this change. We are glad to talk about it.";
    if (scene.memory["write_result"] === undefined)
      return "A colleague will answer your question shortly; nothing in your account was changed.";
    if (ownMember(request, "wish") === "credit") {
      return `We have added a credit of $${(integer(ownMember(request, "credit_cents")) / 100).toFixed(2)} to your account.`;
    }

    return `Your account is now on the ${string(ownMember(request, "plan"))} plan.`;
  };

  return say(`${opening}\n\n${body()}\n\n${closing}`);
};

/** Others are played by the generic persona, so that new graphs run without a key. */
export const HONEST_SCRIPTS: Readonly<Record<string, Persona>> = { parser, planner, writer, ...HONEST_ORDERS, ...HONEST_RESEARCH };

export const replyAsHonest: Persona = (scene) => {
  const script = Object.hasOwn(HONEST_SCRIPTS, scene.agent) ? HONEST_SCRIPTS[scene.agent] : undefined;

  return replyAsHonestArchitect(scene) ?? replyAsHonestZone(scene) ?? (script ?? replyAsGeneric)(scene);
};
