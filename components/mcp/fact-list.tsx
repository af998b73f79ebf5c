import { DigestChip } from "@/components/ui/digest-chip";
import type { Fact } from "./transport-text";

export const FactList = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[8rem_minmax(0,1fr)]">
    {facts.map(({ label, text, digest }) => (
      <div key={label} className="contents">
        <dt className="text-muted">{label}</dt>
        <dd className="break-words">
          {digest ? <DigestChip digest={digest} className="mr-1.5" /> : null}
          {text}
        </dd>
      </div>
    ))}
  </dl>
);
