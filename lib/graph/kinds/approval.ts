import { z } from "zod";
import { field } from "@/lib/graph/field";
import { pathSchema } from "@/lib/graph/path";
import { defineKind, type Link } from "@/lib/graph/kinds/define-kind";
import { deciderField, escalationField, expiryField, nextNodeField } from "@/lib/graph/kinds/fields";
import { optionalLink } from "@/lib/graph/kinds/links";
import { noAnswer, noChoice, none, nothing } from "@/lib/graph/kinds/parts";

/** Pauses the run for a person's decision. */
export const approvalConfigSchema = z.strictObject({
  prompt: field(z.string().min(1).max(2_000), {
    title: "Question for the reviewer",
    widget: "prose",
    rows: 3,
    initial: () => "Continue the run?",
  }),
  for_node: nextNodeField("Approves the effect of", "No specific node", "The approval covers its exact arguments."),
  review_keys: field(z.array(pathSchema).max(100).default([]), { title: "Shown to the reviewer", widget: "path" }),
  role: deciderField("Who decides"),
  quorum: field(z.number().int().min(1).max(10).default(1), { title: "Required approvals" }),
  passkey: field(z.literal(true).optional(), { title: "Require a passkey" }),
  timeout_ms: expiryField("Expires after"),
  escalation: escalationField("Escalate an undecided request"),
  rejection_node: nextNodeField("On rejection, go to", "End the run (cancelled)"),
  expiry_node: nextNodeField("On expiry, go to", "Same as on rejection"),
  changes_node: nextNodeField("On request for changes, go to", "Not available", "That node receives the reviewer's note."),
  promote: field(
    z
      .array(
        z.strictObject({
          from: field(pathSchema, { title: "Shown value", widget: "path" }),
          to: field(pathSchema, { title: "Reviewed as", widget: "path" }),
        }),
      )
      .max(50)
      .default([]),
    {
      title: "Promote to reviewed",
      description: "On approval, each value is copied exactly as the reviewer saw it and labelled reviewed.",
      noun: "path",
    },
  ),
});

type Config = z.output<typeof approvalConfigSchema>;

const nextNodeLink = (
  name: "for_node" | "rejection_node" | "expiry_node" | "changes_node",
  link: Pick<Link<Config>, "name" | "role" | "line">,
): Link<Config> =>
  optionalLink<Config>({
    ...link,
    get: (config) => config[name],
    set: (config, id) => {
      const { [name]: _gone, ...rest } = config;

      return id === undefined ? rest : { ...rest, [name]: id };
    },
  });

/** Returns where an undecided request continues; undefined: the run ends. */
export const getExpiryNode = ({ expiry_node: expired, rejection_node: rejected }: Config): string | undefined => expired ?? rejected;

export const approvalKind = defineKind({
  title: "Approval",
  about: "A person decides before the run continues",
  config: approvalConfigSchema,
  work: "question",
  agents: none,
  tasks: none,
  links: [
    nextNodeLink("for_node", { name: "effect", role: "part" }),
    nextNodeLink("rejection_node", {
      name: "rejection",
      role: "route",
      line: { label: "rejected", describe: (from, to) => `On rejection, ${from} goes to ${to}`, tone: "rejection" },
    }),
    nextNodeLink("expiry_node", {
      name: "expiry",
      role: "route",
      line: { label: "expired", describe: (from, to) => `On expiry, ${from} goes to ${to}`, tone: "expiry" },
    }),
    nextNodeLink("changes_node", {
      name: "changes",
      role: "route",
      line: { label: "changes", describe: (from, to) => `On a request for changes, ${from} goes to ${to}`, tone: "choice" },
    }),
  ],
  reads: ({ review_keys: shown, promote }) => ({ paths: [...shown, ...promote.map(({ from }) => from)] }),
  answer: noAnswer,
  reports: ({ promote }) => promote.map(({ to }) => to),
  rights: { reads: "declared", writes: "declared" },
  isolates: () => false,
  proposes: "nothing",
  editable: false,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  powers: ({ promote, quorum, review_keys: shown, role }) => ({
    may: { promotes: promote.map(({ from, to }) => `${from} to ${to}`) },
    least: { quorum },
    must: { shown },
    is: { decider: role },
  }),
});
