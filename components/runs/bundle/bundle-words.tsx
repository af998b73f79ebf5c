import { Spinner } from "@/components/ui/spinner";
import { Callout } from "@/components/ui/callout";
import { count } from "@/lib/format";
import type { Trust } from "./bundle-store";
import type { BundleFault, BundleProgress } from "./read-bundle";

/** Whose word a file was checked against. */
export const trustText = (trust: Trust): string => {
  switch (trust.type) {
    case "installation":
      return "checked with the keys of this installation";
    case "pasted":
      return `checked with ${count(Object.keys(trust.keys).length)} pasted ${Object.keys(trust.keys).length === 1 ? "key" : "keys"}`;
    case "file":
      return "only agrees with itself: whoever made it up could have made up its keys too";
    default:
      return trust satisfies never;
  }
};

const TITLES = {
  huge: "Too large for a browser",
  broken: "The file is broken",
  foreign: "Not a bundle",
  tampered: "The file does not verify",
} as const satisfies Record<BundleFault["kind"], string>;

export const FaultCallout = ({ fault }: { readonly fault: BundleFault }) => (
  <Callout kind="refused" title={fault.seq === null ? TITLES[fault.kind] : `Record ${fault.seq} is bad`} alert>
    <p>{fault.sentence}</p>
  </Callout>
);

export const ProgressLine = ({ progress }: { readonly progress: BundleProgress | null }) => (
  <output className="flex items-center gap-2 text-sm text-muted">
    <Spinner />
    {progress?.step === "checking" ? `Checking records: ${count(progress.checked)} of ${count(progress.total)}` : "Reading the file…"}
  </output>
);
