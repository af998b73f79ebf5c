/** Trust log texts. */
import type { MarkKind } from "@/components/ui/marks/marks";
import type { TrustType } from "@/lib/engine/labels/trust-event";
import { REFUSALS } from "@/lib/refusal";
import type { Json, JsonObject } from "@/lib/json";
import type { TrustRow } from "./types";

/** `mark` is null for neutral events. */
export const KINDS = {
  taint_assigned: { title: "Tainted", mark: "tainted" },
  reviewed_assigned: { title: "Reviewed", mark: "reviewed" },
  access_denied: { title: "Denied", mark: "refused" },
  token_refused: { title: "Token refused", mark: "refused" },
  refused: { title: "Refused", mark: "refused" },
  token_step: { title: "Token step", mark: null },
  decision: { title: "Decision", mark: null },
  case_opened: { title: "Case opened", mark: "waiting" },
  verdict: { title: "Verdict", mark: null },
  case_closed: { title: "Case closed", mark: null },
  judged: { title: "Judged", mark: null },
  promotion: { title: "Promotion", mark: "reviewed" },
  declassification: { title: "Declassification", mark: "reviewed" },
  opening: { title: "Opening", mark: null },
  opening_denied: { title: "Opening denied", mark: "refused" },
  shred: { title: "Shredded", mark: "hidden" },
} as const satisfies Record<TrustType, { readonly title: string; readonly mark: MarkKind | null }>;

const textOf = (detail: JsonObject, name: string): string => {
  const value = detail[name];

  return typeof value === "string" ? value : "";
};
const listOf = (detail: JsonObject, name: string): readonly string[] => {
  const value: Json = detail[name] ?? null;

  return Array.isArray(value) ? value.filter((each: Json): each is string => typeof each === "string") : [];
};
const numberOf = (detail: JsonObject, name: string): number => {
  const value = detail[name];

  return typeof value === "number" ? value : 0;
};

const joined = (...parts: readonly (string | false)[]): string => parts.filter((part) => part !== false && part !== "").join(" · ");

type NamesById = Readonly<Record<string, string>>;

const sources = (detail: JsonObject, names: NamesById): string => {
  const named = listOf(detail, "provenance").map((source) => (source.startsWith("user:") ? describeWho(source, names) : source));
  const more = numberOf(detail, "sources") - named.length;

  return joined(named.join(", "), more > 0 && `and ${more} more`);
};

const denial = (detail: JsonObject): string => {
  const code = textOf(detail, "code");
  const refusal = Object.entries(REFUSALS).find(([known]) => known === code)?.[1];

  return joined(refusal?.message ?? code, listOf(detail, "ids").join(", "));
};

const peopleIn = (detail: JsonObject): string => {
  const { length } = listOf(detail, "people");

  return length === 0 ? "no person involved" : length === 1 ? "one person approved" : `${length} people approved`;
};

/** Describes a row in one line. */
export const describeWhat = ({ type, detail }: Pick<TrustRow, "type" | "detail">, names: NamesById): string => {
  switch (type) {
    case "taint_assigned":
    case "reviewed_assigned":
      return sources(detail, names);
    case "access_denied":
    case "token_refused":
    case "refused":
    case "opening_denied":
      return denial(detail);
    case "token_step":
      return "took this action";
    case "decision":
      return textOf(detail, "decision");
    case "case_opened":
      return `reviewers ${numberOf(detail, "reviewers")}, quorum ${numberOf(detail, "quorum")}`;
    case "verdict":
      return joined(
        textOf(detail, "verdict"),
        textOf(detail, "model"),
        numberOf(detail, "findings") > 0 &&
          `${numberOf(detail, "findings")} ${numberOf(detail, "findings") === 1 ? "finding" : "findings"}`,
      );
    case "case_closed":
      return textOf(detail, "outcome");
    case "judged":
      return joined(textOf(detail, "outcome"), textOf(detail, "reason").replaceAll("_", " "), listOf(detail, "failed").join(", "));
    case "promotion":
      return joined(`value from ${textOf(detail, "from")}`, peopleIn(detail));
    case "declassification":
      return peopleIn(detail);
    case "opening":
      return `for ${textOf(detail, "purpose")}, record ${numberOf(detail, "of")}`;
    case "shred":
      return joined(
        `${numberOf(detail, "cells")} ${numberOf(detail, "cells") === 1 ? "value" : "values"}`,
        textOf(detail, "reason").replaceAll("_", " "),
      );
    default:
      return type satisfies never;
  }
};

const SHORT = 8;

/** Names a person, token, agent or node. */
export const describeWho = (principal: string, names: NamesById): string => {
  const [kind = "", ...rest] = principal.split(":");
  const id = rest.join(":");
  if (kind === "user") return names[id] ?? `user ${id.slice(0, SHORT)}`;
  if (kind === "token") return `token ${names[id] ?? id.slice(0, SHORT)}`;

  return id === "" ? kind : `${kind} ${id}`;
};
