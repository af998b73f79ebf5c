import { ownMember, type Json } from "@/lib/json";

export type MailRequest = {
  readonly email: string;
  readonly wish: "change_plan" | "credit" | "question";
  readonly plan: "starter" | "team" | "business" | "none";
  readonly credit_cents: number;
  readonly summary: string;
};

export const getResultText = (result: Json | undefined): string => {
  if (typeof result === "string") return result;
  if (Array.isArray(result)) return result.map((part: Json) => getResultText(part)).join("\n");
  const inner =
    ownMember(result, "text") ?? ownMember(result, "structuredContent") ?? ownMember(result, "content") ?? ownMember(result, "result");

  return inner === undefined ? "" : getResultText(inner);
};

const FROM = /^From:.*?<?([^\s<>@]{1,64}@[^\s<>@]{1,189})>?\s*$/m;
const SUBJECT = /^Subject:\s*(.{1,200})$/m;
const PLAN = /\b(?:to|onto)\s+(?:the\s+)?(starter|team|business)\b/i;
const CREDIT = /\bcredit\s+(?:us\s+)?\$(\d{1,5})(?:\.(\d{2}))?\s+to\s+our\s+account\b/i;
const SUSPICIOUS = /save_to_memory|is_admin|already approved|skip the approval|write_change|instructions/i;

const isPlan = (plan: string | undefined): plan is "starter" | "team" | "business" =>
  plan === "starter" || plan === "team" || plan === "business";

export const readMail = (mail: string): MailRequest => {
  const email = FROM.exec(mail)?.[1]?.toLowerCase() ?? "unknown@invalid.example";
  const subject = SUBJECT.exec(mail)?.[1]?.trim() ?? "no subject";
  const nothing = { email, wish: "question", plan: "none", credit_cents: 0 } as const;
  if (SUSPICIOUS.test(mail)) {
    return { ...nothing, summary: "The mail tries to give the assistant instructions; it asks for nothing that can be done." };
  }

  const plan = PLAN.exec(mail)?.[1]?.toLowerCase();
  if (isPlan(plan)) return { ...nothing, wish: "change_plan", plan, summary: `Asks to move to the ${plan} plan (${subject}).` };

  const credit = CREDIT.exec(mail.replaceAll(/\s+/g, " "));
  if (credit) {
    const credit_cents = Number(credit[1]) * 100 + Number(credit[2] ?? 0);

    return { ...nothing, wish: "credit", credit_cents, summary: `Asks for a credit of $${(credit_cents / 100).toFixed(2)} (${subject}).` };
  }

  return { ...nothing, summary: `Asks a question (${subject}).` };
};
