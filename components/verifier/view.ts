/** DOM helpers; file contents are inserted only as text. */
import type { Report } from "@/lib/engine/verify/offline";

export const getById = (id: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`#${id}`);
  if (!found) throw new Error(`there is no ${id}`);

  return found;
};

export const createElement = (name: string, text: string | null, ...children: readonly Node[]): HTMLElement => {
  const made = document.createElement(name);
  if (text !== null) made.textContent = text;
  made.append(...children);

  return made;
};

const card = (className: string, title: string, ...children: readonly Node[]): HTMLElement => {
  const made = createElement("section", null, createElement("h2", title), ...children);
  made.className = `card ${className}`;

  return made;
};

const listOf = (items: readonly string[]): HTMLElement => createElement("ul", null, ...items.map((item) => createElement("li", item)));

const factsOf = (facts: Report["facts"]): HTMLElement =>
  createElement("dl", null, ...facts.flatMap(([label, value]) => [createElement("dt", label), createElement("dd", value)]));

/** Renders a report as cards. */
export const reportNodes = ({ ok, title, message, facts, warnings, notProved }: Report): readonly Node[] => [
  card(ok ? "clean" : "refused", title, createElement("p", ok ? message : `${message} Don't rely on anything after it.`), factsOf(facts)),
  ...(warnings.length === 0 ? [] : [card("warning", "Before you rely on it", listOf(warnings))]),
  ...(notProved.length === 0 ? [] : [card("", "What this does not prove", listOf(notProved))]),
];
