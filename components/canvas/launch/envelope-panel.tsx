"use client";

import type { ReactNode } from "react";
import { Callout } from "@/components/ui/callout";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Envelope } from "@/lib/engine/envelope/envelope";
import type { ModelInfo } from "@/lib/model-info";
import { describeEnvelope, describeRates, describeRefused, describeUnbounded } from "@/components/analysis/envelope-lines";

const Price = ({ id, models }: { readonly id: string; readonly models: readonly ModelInfo[] }) => {
  const rates = models.find((model) => model.id === id)?.rates ?? null;

  return (
    <li>
      <span className="font-mono">{id}</span>:{" "}
      {rates === null ? (
        "no price"
      ) : (
        <>
          {describeRates(rates)}
          <span className="text-muted">
            {" "}
            ({rates.source}, read <RelativeTime at={rates.read_at} />)
          </span>
        </>
      )}
    </li>
  );
};

type Props = {
  readonly envelope: Envelope;
  readonly models: readonly ModelInfo[];
  readonly children: ReactNode;
};

export const EnvelopePanel = ({ envelope, models, children }: Props) => {
  const unbounded = describeUnbounded(envelope);

  return (
    <section aria-label="Worst case" className="flex flex-col gap-3 md:sticky md:top-0 md:self-start">
      <h3 className="text-sm font-semibold">Worst case</h3>
      <dl aria-live="polite" className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1.5 text-sm">
        {describeEnvelope(envelope).map(({ label, value, note, unbounded: isOpen }) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="text-right">
              <span className={isOpen ? "font-medium" : "tabular-nums"}>{value}</span>
              {note === null ? null : <span className="block text-xs text-muted">{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {unbounded === null ? null : <Callout kind="tainted" title={unbounded} />}
      {envelope.refusedModels.map((refused) => (
        <Callout key={refused.model} kind="refused" title={describeRefused(refused)} />
      ))}
      <div className="flex flex-col gap-3 border-t pt-3">{children}</div>
      {envelope.models.length === 0 ? null : (
        <div className="border-t pt-3 text-xs">
          <h4 className="font-medium">Maximum prices</h4>
          <ul className="flex flex-col gap-1">
            {envelope.models.map((id) => (
              <Price key={id} id={id} models={models} />
            ))}
          </ul>
        </div>
      )}
    </section>
  );
};
