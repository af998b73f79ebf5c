import { FlaskConical } from "lucide-react";

/** Demo accounts have no passwords. */
export const DemoBanner = () => (
  <p
    role="note"
    className="flex min-h-8 shrink-0 items-center justify-center gap-2 border-b bg-sunken px-4 py-1 text-center text-xs text-muted"
  >
    <FlaskConical aria-hidden className="size-3.5 shrink-0" />
    <span>
      <strong className="font-semibold text-ink">Demo workspace.</strong>{" "}
      <span className="max-md:hidden">Its accounts have no password and work on this machine only.</span> Don&apos;t store real data here.
    </span>
  </p>
);
