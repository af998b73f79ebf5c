import { Callout } from "@/components/ui/callout";
import { REFUSALS, type Refusal } from "@/lib/refusal";
import { Misfit } from "./misfit";

type Props = { readonly refusal: Refusal; readonly runId: string; readonly seq: number };

export const RefusalDetail = ({ refusal, runId, seq }: Props) => (
  <Callout kind="refused" title={<span className="font-mono text-xs">{refusal.code}</span>} className="m-3">
    <p>{REFUSALS[refusal.code].message}</p>
    {refusal.code === "value_invalid" ? <Misfit runId={runId} seq={seq} /> : null}
    {refusal.ids.length > 0 ? (
      <p className="mt-1 text-xs">
        Affects <span className="font-mono break-all">{refusal.ids.join(", ")}</span>
      </p>
    ) : null}
    {refusal.legal.length > 0 ? (
      <p className="mt-1 text-xs">
        Allowed: <span className="font-mono break-all">{refusal.legal.join(", ")}</span>
      </p>
    ) : null}
    <p className="mt-1 text-xs text-muted">
      {REFUSALS[refusal.code].retry ? "Retrying can help." : "Retrying won't help."} Nothing changed.
    </p>
  </Callout>
);
