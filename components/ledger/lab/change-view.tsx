import type { Change } from "@/components/proof/worker/messages";

const Bytes = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <section className="flex min-w-0 flex-col gap-1">
    <h4 className="text-xs font-medium text-muted">{label}</h4>
    {text === "" ? (
      <p className="rounded-md bg-sunken px-2 py-1.5 text-xs text-muted">Empty</p>
    ) : (
      <pre aria-label={label} className="rounded-md bg-sunken px-2 py-1.5 font-mono text-xs leading-5 break-all whitespace-pre-wrap">
        {text}
      </pre>
    )}
  </section>
);

const placeOf = ({ run, seq }: Change): string => (seq === null ? `Run ${run.slice(0, 8)}` : `Record ${seq} of run ${run.slice(0, 8)}`);

export const ChangeView = ({ change }: { readonly change: Change }) => (
  <div className="flex flex-col gap-2">
    <p className="text-sm">
      <span className="text-muted">Changed in the copy:</span> {placeOf(change)}
    </p>
    <div className="grid gap-3 md:grid-cols-2">
      <Bytes label="Before" text={change.before} />
      <Bytes label="After" text={change.after} />
    </div>
  </div>
);
