/** Signals: signs of an attack or a mistake in what waits for approval. Each is a rule over the run and the reader's view. */
import { z } from "zod";
import type { ApprovalView, ViewLine } from "@/lib/engine/approvals/approval-view";
import { riskSchema, type Risk } from "@/lib/engine/approvals/authority-class";
import type { Subject } from "@/lib/engine/approvals/looked-up";
import { CONTROL_TEXT, listControlKinds } from "@/lib/engine/labels/control-position";
import type { RunState } from "@/lib/engine/state";
import type { Json } from "@/lib/json";
import { listLeaves } from "@/lib/leaves";
import { stripPhrases } from "@/lib/sanitize/phrases";
import { toSkeleton } from "@/lib/sanitize/skeleton";
import { isVisibleName } from "@/lib/visible-name";

export const signalCodeSchema = z.enum(["different_record", "lookalike", "invisible", "instructions", "attempts", "steered"]);
export type SignalCode = z.infer<typeof signalCodeSchema>;

export type Signal = { readonly code: SignalCode; readonly risk: Risk; readonly text: string };

type Lines = ApprovalView["lines"];

const lastName = (path: string): string => path.split(".").at(-1) ?? path;

/** Names of effective lines with a text that fits. */
const namesWith = (lines: Lines, isFound: (text: string) => boolean): readonly string[] =>
  lines.flatMap(({ op, path, after }) => {
    if ((op !== "call" && op !== "set") || after === null || after.hidden) return [];
    const texts = listLeaves(after.value).flatMap(({ value }) => (typeof value === "string" ? [value] : []));

    return texts.some(isFound) ? [lastName(path)] : [];
  });

const ofNames = (code: SignalCode, names: readonly string[], says: string): readonly Signal[] =>
  names.length === 0 ? [] : [{ code, risk: "high", text: `${names.join(", ")} ${says}` }];

const WORDS = /[\p{L}\p{M}\p{N}._@-]+/gu;
const ASCII = /^[\u0021-\u007e]+$/u;
const ASCII_LETTER = /[A-Za-z]/u;

/** A word that mixes ASCII letters with characters drawn like them. */
const hasLookalike = (text: string): boolean =>
  (text.match(WORDS) ?? []).some((word) => !ASCII.test(word) && ASCII_LETTER.test(word) && ASCII.test(toSkeleton(word)));

const hasInstructions = (text: string): boolean => stripPhrases(text) !== text;

const spell = (value: Json): string => JSON.stringify(value);

const ofSubjects = (subjects: readonly Subject[], lines: Lines): readonly Signal[] =>
  subjects.flatMap(({ name, matches }): Signal[] => {
    if (matches) return [];
    const line = lines.find((one) => one.op === "call" && lastName(one.path) === name);
    const [was, is] = [line?.before, line?.after];
    const shown = was && is && !was.hidden && !is.hidden;
    const text = shown
      ? `Different ${name}: the run looked up ${spell(was.value)}, this call names ${spell(is.value)}.`
      : `Different ${name}: this call names a record that the run did not look up.`;

    return [{ code: "different_record", risk: "high", text }];
  });

const MANY_ATTEMPTS = 3;

const ofAttempts = ({ attempts }: RunState): readonly Signal[] => {
  if (attempts === 0) return [];
  const text = attempts === 1 ? "1 refused attempt in this run." : `${attempts} refused attempts in this run.`;

  return [{ code: "attempts", risk: attempts >= MANY_ATTEMPTS ? "high" : "medium", text }];
};

const ofControls = (lines: readonly ViewLine[]): readonly Signal[] => {
  const steered = lines.flatMap((line) => listControlKinds(line).map((kind) => `${lastName(line.path)} ${CONTROL_TEXT[kind]}`));

  return steered.length === 0 ? [] : [{ code: "steered", risk: "medium", text: `Untrusted: ${[...new Set(steered)].join("; ")}.` }];
};

const RISKS = riskSchema.options;

/** Returns the higher of a risk and that of all signals. */
export const raiseRisk = (risk: Risk, signals: readonly Pick<Signal, "risk">[]): Risk =>
  RISKS[Math.max(RISKS.indexOf(risk), ...signals.map((signal) => RISKS.indexOf(signal.risk)))] ?? risk;

/** Lists the signals of a view, high ones first. Texts hold only what the view shows. */
export const listSignals = (state: RunState, subjects: readonly Subject[], lines: Lines): readonly Signal[] =>
  [
    ...ofSubjects(subjects, lines),
    ...ofNames("lookalike", namesWith(lines, hasLookalike), "has characters that look like others."),
    ...ofNames(
      "invisible",
      namesWith(lines, (text) => !isVisibleName(text.replaceAll(/[\n\r\t]/gu, ""))),
      "has invisible characters.",
    ),
    ...ofNames("instructions", namesWith(lines, hasInstructions), "contains instructions to a model."),
    ...ofAttempts(state),
    ...ofControls(lines),
  ].toSorted((a, b) => RISKS.indexOf(b.risk) - RISKS.indexOf(a.risk));
