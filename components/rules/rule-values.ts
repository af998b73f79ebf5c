import { z } from "zod";
import { needsSchema, whenSchema, type Needs, type When } from "@/lib/approval-rules/rule";

/** Choice of a select that stands for no condition. */
export const ANY = "any";

/** No group is named so. */
export const NO_ONE = "-";

const HOURS = /^[1-9]\d{0,2}$/u;
const MOST_HOURS = 720;
const HOUR_MS = 3_600_000;
const AMOUNT = /^\d{1,12}(?:\.\d{1,2})?$/u;

export const ruleFieldsSchema = z
  .strictObject({
    effect: whenSchema.shape.effect,
    graph: z.string(),
    environment: z.string(),
    /** `server/tool`, or any. */
    tool: z.string(),
    argument: z.string(),
    from: z.string().trim(),
    total: z.boolean(),
    currency: z.string(),
    code: z.string().trim().toUpperCase(),
    confidentiality: z.enum([ANY, "internal", "pii", "secret"]),
    untrusted: z.boolean(),
    groups: z.array(z.string()),
    people: z.array(z.string()),
    count: z.enum(["1", "2", "3", "4", "5"]),
    passkey: z.boolean(),
    notPublisher: z.boolean(),
    escalation: z.string(),
    afterHours: z.string().trim(),
  })
  .refine(({ argument, from }) => argument === ANY || AMOUNT.test(from), {
    path: ["from"],
    error: "Enter an amount such as 1000 or 1000.50.",
  })
  .refine(({ argument, currency, code }) => argument === ANY || currency === ANY || /^[A-Z]{3}$/u.test(code), {
    path: ["code"],
    error: "Enter a code such as EUR.",
  })
  .refine(({ escalation, groups, people }) => escalation === NO_ONE || groups.length + people.length > 0, {
    path: ["escalation"],
    error: "Choose the people or groups who are asked first.",
  })
  .refine(({ escalation, afterHours }) => escalation === NO_ONE || (HOURS.test(afterHours) && Number(afterHours) <= MOST_HOURS), {
    path: ["afterHours"],
    error: `Enter 1 to ${MOST_HOURS} hours.`,
  });
export type RuleFields = z.infer<typeof ruleFieldsSchema>;

export const NEW_RULE: RuleFields = {
  effect: "write",
  graph: ANY,
  environment: ANY,
  tool: ANY,
  argument: ANY,
  from: "",
  total: false,
  currency: ANY,
  code: "",
  confidentiality: ANY,
  untrusted: false,
  groups: [],
  people: [],
  count: "1",
  passkey: false,
  notPublisher: false,
  escalation: NO_ONE,
  afterHours: "4",
};

const toAmount = ({ argument, from, total, currency, code }: RuleFields, cents: boolean): Pick<When, "amount"> =>
  argument === ANY
    ? {}
    : {
        amount: {
          argument,
          from: cents ? Math.round(Number(from) * 100) : Number(from),
          ...(cents ? { cents: true } : {}),
          ...(total ? { total } : {}),
          ...(currency === ANY ? {} : { currency: { argument: currency, code } }),
        },
      };

/** @param cents the amount's argument counts hundredths */
export const toRule = (fields: RuleFields, cents: boolean): { readonly when: When; readonly needs: Needs } => {
  const {
    effect,
    graph,
    environment,
    tool,
    confidentiality,
    untrusted,
    groups,
    people,
    count,
    passkey,
    notPublisher,
    escalation,
    afterHours,
  } = fields;
  const [server = "", name = ""] = tool.split("/");

  return {
    when: {
      effect,
      ...(graph === ANY ? {} : { graph }),
      ...(environment === ANY ? {} : { environment }),
      ...(tool === ANY ? {} : { server, tool: name, ...toAmount(fields, cents) }),
      ...(confidentiality === ANY ? {} : { confidentiality }),
      ...(untrusted ? { untrusted } : {}),
    },
    needs: needsSchema.parse({
      groups,
      people,
      count: Number(count),
      ...(passkey ? { passkey } : {}),
      ...(notPublisher ? { not_publisher: true } : {}),
      ...(escalation === NO_ONE ? {} : { escalation: { group: escalation, after_ms: Number(afterHours) * HOUR_MS } }),
    }),
  };
};
