/** Workspace rules for approvals: conditions and demands. */
import { z } from "zod";
import { toolNameSchema } from "@/lib/graph/tool-ref";
import { idSchema, uuidSchema } from "@/lib/ids";
import { approversSchema, groupNameSchema, type Approvers } from "@/lib/people/approvers";

/** Each run's first record repeats all. */
export const MOST_RULES = 20;

const DAY_MS = 86_400_000;
const MAX_ARGUMENT_CHARS = 200;
const argumentSchema = z
  .string()
  .max(MAX_ARGUMENT_CHARS)
  .regex(/^[^.]+(?:\.[^.]+){0,7}$/u, "Use an argument's name, or a path such as items.amount.");

const amountSchema = z.strictObject({
  /** Path in the arguments; lists on the way count with each of their items. */
  argument: argumentSchema,
  /** In the argument's unit. */
  from: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
  /** The argument counts hundredths. */
  cents: z.literal(true).exactOptional(),
  /** Adds the run's earlier calls. */
  total: z.literal(true).exactOptional(),
  /** Other currencies cannot be compared, so the rule applies to them. */
  currency: z.strictObject({ argument: argumentSchema, code: z.string().regex(/^[A-Z]{3}$/, "Use a code such as EUR.") }).exactOptional(),
});

export const whenSchema = z
  .strictObject({
    /** Least effect class of the call. */
    effect: z.enum(["read", "write", "irreversible"]),
    graph: idSchema.exactOptional(),
    /** The run's, as of its start. */
    environment: idSchema.exactOptional(),
    server: idSchema.exactOptional(),
    tool: toolNameSchema.exactOptional(),
    amount: amountSchema.exactOptional(),
    /** Least confidentiality of the arguments. */
    confidentiality: z.enum(["internal", "pii", "secret"]).exactOptional(),
    untrusted: z.literal(true).exactOptional(),
  })
  .refine(({ tool, server }) => tool === undefined || server !== undefined, { path: ["tool"], error: "Choose the tool's server." })
  .refine(({ amount, tool }) => amount === undefined || tool !== undefined, { path: ["amount"], error: "An amount needs a tool." });
export type When = z.infer<typeof whenSchema>;

export const namesPeople = ({ groups, people }: Approvers): boolean => groups.length + people.length > 0;

export const needsSchema = z
  .strictObject({
    ...approversSchema.shape,
    /** Different people, among the named if any. */
    count: z.number().int().min(1).max(10),
    passkey: z.literal(true).exactOptional(),
    /** Not even as one of several. */
    not_publisher: z.literal(true).exactOptional(),
    escalation: z
      .strictObject({
        after_ms: z
          .number()
          .int()
          .min(1_000)
          .max(30 * DAY_MS),
        group: groupNameSchema,
      })
      .exactOptional(),
  })
  .refine((needs) => needs.escalation === undefined || namesPeople(needs), {
    path: ["escalation"],
    error: "Name the people or groups who are asked first.",
  });
export type Needs = z.infer<typeof needsSchema>;

/** Never changed, only added and removed. */
export const ruleSchema = z.strictObject({ id: uuidSchema, when: whenSchema, needs: needsSchema });
export type Rule = z.infer<typeof ruleSchema>;

/** A fork keeps its parent's too. */
export const MOST_RULES_OF_RUN = 2 * MOST_RULES;

export const rulesSchema = z.array(ruleSchema).min(1).max(MOST_RULES_OF_RUN);

export const joinRules = (...lists: readonly (readonly Rule[] | undefined)[]): readonly Rule[] => [
  ...new Map(lists.flatMap((rules = []) => rules.map((rule) => [rule.id, rule] as const))).values(),
];
