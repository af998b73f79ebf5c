/** Offline verifier, bundled into one HTML file. */
import { z } from "zod";
import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { loadSignatureEngine } from "@/lib/engine/ledger/ed25519";
import { MOST_FILE_BYTES, recognise, verifyGiven, type Given } from "@/lib/engine/verify/offline";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import type { TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { getById, createElement, reportNodes } from "./view";

// The page's CSP forbids eval.
z.config({ jitless: true });

type Subject = Extract<Given, { type: "workspace" | "run" }>;
type Files = {
  readonly subject: Subject | null;
  readonly keys: PublicKeys | null;
  readonly anchor: TrustAnchor | null;
  readonly kept: readonly SignedCheckpoint[];
};

const EMPTY: Files = { subject: null, keys: null, anchor: null, kept: [] };

let files = EMPTY;
/** Results of replaced files are dropped. */
let turn = 0;

const NAMES = {
  workspace: "workspace export",
  run: "run export",
  checkpoints: "kept checkpoints",
  keys: "trusted keys",
  anchor: "trust anchor",
  unknown: "not recognised",
} as const satisfies Record<Given["type"], string>;

const withGiven = (before: Files, given: Given): Files => {
  switch (given.type) {
    case "workspace":
    case "run":
      return { ...before, subject: given };
    case "checkpoints":
      return { ...before, kept: [...before.kept, ...given.files.flatMap((file) => file.checkpoints.map(({ signed }) => signed))] };
    case "keys":
      return { ...before, keys: given.keys };
    case "anchor":
      return { ...before, anchor: given.anchor };
    case "unknown":
      return before;
    default:
      return given satisfies never;
  }
};

const show = (checked: number, total: number, sinceMs: number): void => {
  const bar = getById("bar");
  if (bar instanceof HTMLProgressElement) [bar.value, bar.max] = [checked, Math.max(1, total)];
  const perSecond = Math.round((checked * 1_000) / Math.max(1, performance.now() - sinceMs));
  getById("status").textContent = `Checked ${checked} of ${total} records, ${perSecond} per second`;
};

const recordsOf = ({ document: given }: Subject): number => ("ledger" in given ? given.ledger.records.length : given.records.length);

const verify = async (subject: Subject): Promise<void> => {
  const mine = (turn += 1);
  const [total, since] = [recordsOf(subject), performance.now()];
  getById("result").replaceChildren();
  getById("progress").hidden = false;
  show(0, total, since);
  const report = await verifyGiven(subject, files, (checked) => {
    if (mine === turn && (checked % 50 === 0 || checked === total)) show(checked, total, since);
  });
  if (mine !== turn) return;
  getById("progress").hidden = true;
  getById("result").replaceChildren(...reportNodes(report));
};

const take = async (added: readonly File[]): Promise<void> => {
  for (const file of added) {
    // An oversized file would exhaust memory.
    const given: Given =
      file.size > MOST_FILE_BYTES
        ? { type: "unknown", why: `Larger than ${MOST_FILE_BYTES / 1_048_576} MiB. Use "countersign verify" instead.` }
        : recognise((await file.text()).replace(/^\uFEFF/u, ""));
    files = withGiven(files, given);
    const why = given.type === "unknown" ? ` ${given.why}` : "";
    getById("given").append(createElement("li", `${file.name}: ${NAMES[given.type]}.${why}`));
  }
  getById("clear").hidden = false;
  if (files.subject) await verify(files.subject);
};

const failed = (): void => {
  getById("progress").hidden = true;
  getById("result").replaceChildren(createElement("p", "Verification failed to run in this browser. Reload the page and try again."));
};

const clear = (input: HTMLInputElement): void => {
  turn += 1;
  files = EMPTY;
  for (const id of ["given", "result"]) getById(id).replaceChildren();
  for (const id of ["clear", "progress"]) getById(id).hidden = true;
  input.value = "";
  input.focus();
};

const start = async (): Promise<void> => {
  const input = getById("files");
  if (!(input instanceof HTMLInputElement)) return;
  input.addEventListener("change", () => void take([...(input.files ?? [])]).catch(failed));
  getById("clear").addEventListener("click", () => clear(input));
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    getById("drop").classList.add("over");
  });
  document.addEventListener("dragleave", () => getById("drop").classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    getById("drop").classList.remove("over");
    void take([...(event.dataTransfer?.files ?? [])]).catch(failed);
  });
  getById("engine").textContent =
    (await loadSignatureEngine()) === "webcrypto"
      ? "Signatures are checked with this browser's built-in Ed25519."
      : "This browser has no built-in Ed25519, so signatures are checked in JavaScript. This is slower and gives the same result.";
};

void start();
