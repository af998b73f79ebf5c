import { isJsonObject, ownMember, type Json } from "@/lib/json";
import { answerJson, call, say, type Persona } from "./scene";
import { SUSPICIOUS } from "./suspicious";

const SEARCH = "library__search";
const MOST_POINTS = 4;
const SHORT_HEADLINE = 60;

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const sentencesIn = (value: string): readonly string[] =>
  value
    .split(/(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");

const researcher: Persona = (scene) => {
  const question = text(scene.memory["question"]);
  if (scene.turn === 0 && scene.tools.includes(SEARCH)) return call({ name: SEARCH, input: { query: question } });
  const hits = list(ownMember(scene.results.findLast(({ name }) => name === SEARCH)?.result, "hits"));
  if (hits.length === 0 && scene.tools.includes("hand_off") && scene.results.every(({ name }) => name !== "hand_off")) {
    return call({ name: "hand_off", input: { node: "explain", reason: "The library has no page about this." } });
  }
  const steps = hits.map((hit) => ({
    question: `${question} (${text(ownMember(hit, "title"))})`.slice(0, 300),
    page: text(ownMember(hit, "page")),
  }));

  return answerJson({ steps, known: list(scene.recalled).length });
};

const noteTaker: Persona = (scene) => {
  const page = ownMember(scene.task, "item");
  const body = text(ownMember(page, "text"));
  const source = text(ownMember(page, "title"));
  const address = text(ownMember(page, "address"));
  if (body === "" || SUSPICIOUS.test(body)) return answerJson({ source, address, usable: false, points: [] });

  return answerJson({ source, address, usable: true, points: sentencesIn(body).slice(0, MOST_POINTS) });
};

const merger: Persona = (scene) => {
  const usable = list(scene.memory["notes"]).filter((note) => ownMember(note, "usable") === true);
  const lines = usable.map(
    (note) =>
      `${text(ownMember(note, "source"))} (${text(ownMember(note, "address"))}): ${list(ownMember(note, "points")).map(text).join(" ")}`,
  );

  return say(lines.length === 0 ? "There is no usable source." : lines.join("\n"));
};

const editor: Persona = ({ memory }) => {
  const next = [
    { node: "write", missing: memory["draft"] === undefined, why: "There is no draft yet." },
    { node: "check_facts", missing: memory["fact_report"] === undefined, why: "Nobody has checked the draft." },
    { node: "find_headline", missing: memory["headline"] === undefined, why: "The draft needs a headline." },
  ].find(({ missing }) => missing);

  return answerJson(next ? { next: next.node, reasoning: next.why } : { next: "done", reasoning: "Everything is there." });
};

const entriesOf = (dossier: string): readonly { readonly source: string; readonly points: string }[] =>
  dossier.split("\n").flatMap((line) => {
    const at = line.indexOf(": ");

    return at < 0 ? [] : [{ source: line.slice(0, at), points: line.slice(at + 2) }];
  });

/** Leaves room for the critic. */
const journalist: Persona = (scene) => {
  const question = text(scene.memory["question"]);
  const entries = entriesOf(text(scene.memory["dossier"]));
  const points = entries.map(({ points: said }) => sentencesIn(said).slice(0, 2).join(" "));
  const sources = isJsonObject(scene.task) ? `\n\nSources: ${entries.map(({ source }) => source).join("; ")}` : "";

  return answerJson({
    title: question.slice(0, 120),
    summary: sentencesIn(entries[0]?.points ?? "")[0] ?? "There is no usable source.",
    body: `${points.join("\n\n")}${sources}`,
  });
};

const critic: Persona = (scene) => {
  const complete = text(ownMember(ownMember(scene.task, "answer"), "body")).includes("Sources: ");

  return answerJson({
    score: complete ? 0.9 : 0.5,
    reason: complete ? "Clear, and it names its sources." : "It does not name its sources.",
  });
};

const factJudge: Persona = (scene) => {
  const material = ownMember(scene.task, "value");
  const dossier = text(ownMember(material, "dossier"));
  const [body = ""] = text(ownMember(ownMember(material, "draft"), "body")).split("\n\nSources: ");
  const sentences = sentencesIn(body);
  const supported = sentences.filter((sentence) => dossier.includes(sentence)).length;
  const score = sentences.length === 0 ? 0 : supported / sentences.length;

  return answerJson({ score, reason: `The dossier supports ${supported} of ${sentences.length} sentences.` });
};

const FLOURISHES = [
  "What we really know today about the question that so many people ask us: ",
  "Explained in detail and with all its sources: ",
  "",
];

const headliner: Persona = (scene) => {
  const [best] = list(ownMember(scene.task, "parents"));
  const title = text(ownMember(scene.memory["draft"], "title"));
  const index = Number(ownMember(scene.task, "index") ?? 0);
  if (best !== undefined) return say(title.slice(0, SHORT_HEADLINE).trim());

  return say(`${FLOURISHES[index % FLOURISHES.length] ?? ""}${title} Here is an answer of the library`.slice(0, 190));
};

const librarian: Persona = (scene) => {
  const why = scene.memory["fact_report"] === undefined ? "the library has no page about it" : "the article did not pass its review";

  return say(`We have published nothing about “${text(scene.memory["question"])}”: ${why}.`);
};

export const HONEST_RESEARCH: Readonly<Record<string, Persona>> = {
  researcher,
  note_taker: noteTaker,
  merger,
  editor,
  journalist,
  critic,
  fact_judge: factJudge,
  headliner,
  librarian,
};
