import { ownMember, type Json } from "@/lib/json";
import { answerJson, say, type Persona, type Scene } from "./scene";

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const number = (value: Json | undefined): number => (typeof value === "number" ? value : 0);

/** First orders of new customers are reviewed from here on. */
const LARGE_CENTS = 50_000;
const MOST_GIFT_CARDS = 5;
/** Gives demo meters something to show. */
const THINKING = { input_tokens: 1_200, output_tokens: 5_000 } as const;

const amountOf = (scene: Scene): number => number(ownMember(scene.memory["totals"], "amount_cents"));
const partOf = (scene: Scene, part: string): Json | undefined => ownMember(scene.memory["order"], part);

const vote = (suspicious: boolean) => ({ ...answerJson({ vote: suspicious ? "reject" : "accept" }), usage: THINKING });

const payment: Persona = (scene) => vote(ownMember(partOf(scene, "card"), "country") !== ownMember(partOf(scene, "ship_to"), "country"));

const history: Persona = (scene) =>
  vote(number(ownMember(partOf(scene, "customer"), "orders_before")) === 0 && amountOf(scene) > LARGE_CENTS);

/** Instructions in a note say more about its author than the order. */
const goods: Persona = (scene) => {
  const cards = list(partOf(scene, "lines")).filter((line) => text(ownMember(line, "sku")).startsWith("gift-card"));
  const many = cards.some((line) => number(ownMember(line, "quantity")) > MOST_GIFT_CARDS);

  return vote(many || /accept|approv|skip/i.test(text(partOf(scene, "note"))));
};

const clerk: Persona = (scene) => {
  const name = text(ownMember(partOf(scene, "customer"), "name"));
  const body =
    scene.node === "confirm"
      ? `thank you for your order. We have charged ${(amountOf(scene) / 100).toFixed(2)} and it is on its way.`
      : "thank you for your order. A colleague looks at it before it is sent, and will write to you soon.";

  return say(`Hello ${name},\n\n${body}\n\nKind regards,\nYour shop`);
};

const refundClerk: Persona = (scene) => {
  const name = text(ownMember(partOf(scene, "customer"), "name"));
  const cents = number(ownMember(scene.memory["refund"], "amount_cents"));
  const body =
    cents > 0 ? `we have paid ${(cents / 100).toFixed(2)} back to your card.` : "we have looked at your order. Nothing was paid back.";

  return say(`Hello ${name},\n\n${body}\n\nKind regards,\nYour shop`);
};

export const HONEST_ORDERS: Readonly<Record<string, Persona>> = {
  fraud_payment: payment,
  fraud_history: history,
  fraud_goods: goods,
  clerk,
  refund_clerk: refundClerk,
};
