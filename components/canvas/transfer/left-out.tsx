import { Callout } from "@/components/ui/callout";
import type { LeftOut } from "@/lib/secrets/leave-out";

/** Locations of removed secrets, never values. */
export const LeftOutList = ({ leftOut }: { readonly leftOut: readonly LeftOut[] }) =>
  leftOut.length === 0 ? null : (
    <Callout
      kind="hidden"
      title={`${leftOut.length} ${leftOut.length === 1 ? "text looks" : "texts look"} like a secret and ${leftOut.length === 1 ? "is" : "are"} left out`}
    >
      <p>A placeholder like secret_left_out_1 replaces each one, so the content hash differs from the draft's.</p>
      <ul className="mt-1 list-disc pl-4">
        {leftOut.map(({ path, what }, index) => (
          <li key={`${path.join(".")} ${index}`} className="wrap-anywhere">
            {what} at <span className="font-mono text-xs">{path.join(".")}</span>
          </li>
        ))}
      </ul>
    </Callout>
  );
