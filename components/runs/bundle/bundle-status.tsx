import { Spinner } from "@/components/ui/spinner";
import { Callout } from "@/components/ui/callout";
import { count } from "@/lib/format";
import type { Trust } from "./bundle-store";
import type { BundleFault, BundleProgress } from "./read-bundle";

/** Names the trusted keys. */
export const describeTrustEvent = (trust: Trust): string => {
  switch (trust.type) {
    case "installation":
      return "verified with this installation's keys";
    case "pasted":
      return `verified with ${count(Object.keys(trust.keys).length)} pasted ${Object.keys(trust.keys).length === 1 ? "key" : "keys"}`;
    case "file":
      return "verified only with the keys in the file, which don't prove who created it";
    default:
      return trust satisfies never;
  }
};

const TITLES = {
  huge: "File too large",
  broken: "Damaged file",
  foreign: "Not a bundle",
  tampered: "Verification failed",
} as const satisfies Record<BundleFault["kind"], string>;

export const FaultCallout = ({ fault }: { readonly fault: BundleFault }) => (
  <Callout kind="refused" title={fault.seq === null ? TITLES[fault.kind] : `Record ${fault.seq} is invalid`} alert>
    <p>{fault.sentence}</p>
  </Callout>
);

export const ProgressLine = ({ progress }: { readonly progress: BundleProgress | null }) => (
  <output className="flex items-center gap-2 text-sm text-muted">
    <Spinner />
    {progress?.step === "checking" ? `Checking records: ${count(progress.checked)} of ${count(progress.total)}` : "Reading the file…"}
  </output>
);
