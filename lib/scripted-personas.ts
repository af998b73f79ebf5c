/** Personas of the scripted model. */

export const PERSONA_NAMES = ["honest", "generic", "sloppy", "compromised", "injected"] as const;
export type PersonaName = (typeof PERSONA_NAMES)[number];

/** One family for writers and two for reviewers; all must differ. */
export const SCRIPTED_FAMILIES = ["scripted", "scripted-b", "scripted-c"] as const;

/** Demo agents with a part of their own; `personas.test.ts` compares it with the scripts. */
export const SCRIPTED_AGENTS: readonly string[] = [
  "parser",
  "planner",
  "writer",
  "fraud_payment",
  "fraud_history",
  "fraud_goods",
  "clerk",
  "refund_clerk",
  "researcher",
  "note_taker",
  "merger",
  "editor",
  "journalist",
  "critic",
  "fact_judge",
  "headliner",
  "librarian",
];

type Named = { readonly id: string; readonly name: string };

const listNames = (agents: readonly Named[]): string => agents.map(({ name }) => name).join(", ");

const FILLS = "fills each declared schema with plausible values and follows simple instructions, such as: return plan “team”";

const describeHonest = (agents: readonly Named[]): string => {
  const known = agents.filter(({ id }) => SCRIPTED_AGENTS.includes(id));
  const others = agents.filter(({ id }) => !SCRIPTED_AGENTS.includes(id));
  const parts = [
    ...(known.length === 0 ? [] : [`Follows its script for ${listNames(known)}.`]),
    ...(others.length === 0 ? [] : [`For ${listNames(others)} it ${FILLS}.`]),
  ];

  return parts.join(" ");
};

/** Says what a scripted model plays for these agents, or null. @param model such as `scripted:honest` */
export const describePersona = (model: string, agents: readonly Named[]): string | null => {
  const [family = "", name] = model.split(":");
  const persona = PERSONA_NAMES.find((known) => known === name);
  if (!SCRIPTED_FAMILIES.some((known) => known === family) || persona === undefined) return null;
  const free = "It needs no key and costs nothing.";
  switch (persona) {
    case "honest":
      return [describeHonest(agents), free].filter((part) => part !== "").join(" ");
    case "generic":
      return `For every agent it ${FILLS}. ${free}`;
    case "sloppy":
      return `Like honest, but half of its answers have the wrong form. ${free}`;
    case "compromised":
      return `Always does the worst it can, whatever it is told. ${free}`;
    case "injected":
      return `Like honest, but it obeys orders in what it reads. ${free}`;
    default:
      return persona satisfies never;
  }
};
