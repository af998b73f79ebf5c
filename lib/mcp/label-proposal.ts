/** Proposals for a tool's labels, which only a person puts in force. */
import type { EffectClass, ToolLabels } from "@/lib/graph/document";
import { CLASSIFICATIONS, type Classification } from "@/lib/graph/label";
import type { ToolDefinition } from "./definition";

/** In force until a person labels a tool. */
export const UNLABELLED: ToolLabels = {
  effect: "irreversible",
  idempotent: false,
  output: "internal",
  outward: true,
  clearance: "internal",
};

const MEMBERS = ["effect", "idempotent", "output", "outward", "clearance"] as const satisfies readonly (keyof ToolLabels)[];

export const hasSameLabels = (one: ToolLabels, other: ToolLabels): boolean => MEMBERS.every((member) => one[member] === other[member]);

/** Other labels than the first are from before their time was stored. */
export const isToolLabelled = (tool: ToolLabels & { readonly labelledAt: Date | null }): boolean =>
  tool.labelledAt !== null || !hasSameLabels(tool, UNLABELLED);

export type ProposalReason = {
  readonly text: string;
  /** Said by the server: makes the proposal only stricter. */
  readonly isClaim: boolean;
};

export type LabelProposal = { readonly labels: ToolLabels; readonly reasons: readonly ProposalReason[] };

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const READS = words(
  "get list read search find fetch describe query lookup show view count check resolve browse inspect status stat info tree compare diff validate analyze preview retrieve summarize history snapshot screenshot whoami ping",
);
const WRITES = words(
  "create add update edit write set put save insert upsert rename move append upload assign patch modify change replace copy enable disable restore import register configure toggle schedule archive log store apply label tag open close",
);
const DANGEROUS = words(
  "delete remove drop destroy purge erase wipe truncate uninstall send publish pay charge refund transfer execute exec run eval evaluate invoke kill terminate stop restart deploy merge push post email mail notify reply forward share cancel revoke buy sell order checkout submit approve reject click type press fill drag hover tap handle navigate reset shutdown grant ban invite",
);
/** Also nouns: verbs only where a name begins. */
const NOUNS = words(
  "log label tag store change schedule post email mail order share run charge refund transfer type press order reply handle status history check view count query search import patch set stop open close push invite copy move diff info stat tree snapshot screenshot preview",
);

const tokensOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((token) => token !== "");

const STRICTNESS: readonly EffectClass[] = ["pure", "read", "write", "irreversible"];

const stricter = (one: EffectClass, other: EffectClass): EffectClass => (STRICTNESS.indexOf(one) > STRICTNESS.indexOf(other) ? one : other);

const verbEffect = (token: string): EffectClass | null => {
  if (DANGEROUS.has(token)) return "irreversible";
  if (WRITES.has(token)) return "write";

  return READS.has(token) ? "read" : null;
};

type Verb = { readonly word: string; readonly effect: EffectClass };

/** Finds the strictest verb: `search_and_delete` deletes, `get_order` reads. */
const findVerb = (name: string): Verb | null => {
  let found: Verb | null = null;
  for (const word of tokensOf(name)) {
    const effect = verbEffect(word);
    if (effect === null || (found !== null && NOUNS.has(word))) continue;
    if (found === null || stricter(effect, found.effect) !== found.effect) found = { word, effect };
  }

  return found;
};

const DESTRUCTIVE_WORDS = /\b(?:irreversibl[ey]|permanently|destructive(?:ly)?|overwrit\w*|(?:can(?:not|'t)|can not) be undone)\b/i;
const RUNS_INPUT = words("command cmd code script sql shell statement expression javascript");

const propertiesOf = (schema: Readonly<Record<string, unknown>> | null): readonly string[] => {
  const properties = schema?.["properties"];

  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
};

type Found = { readonly effect: EffectClass; readonly reasons: readonly ProposalReason[] };

const proposeEffect = ({ name, description, input_schema, annotations }: ToolDefinition): Found => {
  const verb = findVerb(name);
  const reasons: ProposalReason[] = [];
  const note = (text: string, isClaim = false): void => void reasons.push({ text, isClaim });
  let effect: EffectClass = verb?.effect ?? "irreversible";
  note(verb ? `Its name says “${verb.word}”.` : "Its name has no known verb.");
  const raise = (to: EffectClass, text: string, isClaim: boolean): void => {
    if (stricter(to, effect) === effect) return;
    effect = to;
    note(text, isClaim);
  };
  const input = propertiesOf(input_schema).find((property) => tokensOf(property).some((token) => RUNS_INPUT.has(token)));
  if (input !== undefined) raise("irreversible", `Its argument “${input.slice(0, 60)}” may be code.`, false);
  const word = DESTRUCTIVE_WORDS.exec(description)?.[0];
  if (word !== undefined) raise("irreversible", `Its description says “${word}”.`, false);
  if (annotations?.["readOnlyHint"] === false) raise("write", "The server says that it changes data.", true);
  if (annotations?.["destructiveHint"] === true && annotations["readOnlyHint"] !== true)
    raise("irreversible", "The server says that it is destructive.", true);
  if (annotations?.["readOnlyHint"] === true && effect !== "read") note("The server says that it only reads. Not used.", true);

  return { effect, reasons };
};

const SECRET = words("env environment password passwd secret secrets token tokens credential credentials apikey privatekey otp pin");
const PERSONAL = words(
  "email emails mail mails phone address birthday birthdate ssn passport customer customers user users person people contact contacts member members employee employees patient patients recipient recipients sender author messages conversation inbox firstname lastname iban",
);

const classOf = (text: string): Classification | null => {
  const tokens = tokensOf(text);
  if (tokens.some((token) => SECRET.has(token)) || /api.?key|private.?key/i.test(text)) return "secret";

  return tokens.some((token) => PERSONAL.has(token)) ? "pii" : null;
};

const proposeOutput = ({ name, output_schema }: ToolDefinition): { output: Classification; reason: ProposalReason | null } => {
  const found = [name, ...propertiesOf(output_schema)].flatMap((text) => {
    const output = classOf(text);

    return output ? [{ text, output }] : [];
  });
  const [highest] = found.toSorted((a, b) => CLASSIFICATIONS.indexOf(b.output) - CLASSIFICATIONS.indexOf(a.output));
  if (!highest) return { output: UNLABELLED.output, reason: null };
  const what = highest.output === "secret" ? "a secret" : "a person";

  return { output: highest.output, reason: { text: `“${highest.text.slice(0, 60)}” may be about ${what}.`, isClaim: false } };
};

/** Proposes labels that never widen. @param isSealed the sandbox gives its program no network */
export const proposeLabels = (definition: ToolDefinition, isSealed: boolean): LabelProposal => {
  const { effect, reasons } = proposeEffect(definition);
  const { output, reason } = proposeOutput(definition);
  const isOpen = definition.annotations?.["openWorldHint"] === true;
  const outward = !isSealed || isOpen;
  const why: ProposalReason = isSealed
    ? { text: isOpen ? "The server says that it reaches others." : "Its program has no network.", isClaim: isOpen }
    : { text: "Its server can reach others.", isClaim: false };

  return {
    labels: { effect, idempotent: effect === "read", output, outward, clearance: UNLABELLED.clearance },
    reasons: [...reasons, ...(reason ? [reason] : []), why],
  };
};
