"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { toVisibleText } from "@/components/values/visible-text";
import { Button } from "@/components/ui/button";
import { DigestChip } from "@/components/ui/digest-chip";
import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import { notify } from "@/components/ui/toast";
import { count } from "@/lib/format";
import type { SealedView } from "@/components/approvals/sealed-view";

const CopyBytes = ({ text, what }: { readonly text: string; readonly what: string }) => {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      notify({ tone: "error", title: "Your browser blocked copying. Select the text instead." });
    }
  };
  const Icon = isCopied ? Check : Copy;

  return (
    <Button
      size="sm"
      variant="ghost"
      aria-label={`Copy the bytes of ${what}`}
      onClick={() => void copy()}
      onBlur={() => setIsCopied(false)}
    >
      <Icon aria-hidden /> {isCopied ? "Copied" : "Copy"}
    </Button>
  );
};

const encoder = new TextEncoder();

type BytesProps = { readonly title: string; readonly what: string; readonly text: string };

/** Copied unchanged. */
const Bytes = ({ title, what, text }: BytesProps) => (
  <details className="border-t">
    <summary className="px-3 py-2 text-xs font-medium text-muted hover:text-ink">
      {title}, {count(encoder.encode(text).length)} bytes
    </summary>
    <div className="border-t bg-sunken">
      <p className="flex justify-end px-2 pt-1">
        <CopyBytes text={text} what={what} />
      </p>
      <pre
        // Without focusable content, it must be focusable.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls takes the keyboard
        tabIndex={0}
        aria-label={title}
        className="max-h-64 overflow-auto px-3 pb-2 font-mono text-xs break-all whitespace-pre-wrap focus-visible:-outline-offset-2"
      >
        {toVisibleText(text)}
      </pre>
    </div>
  </details>
);

type Props = { readonly sealed: SealedView; readonly transitionText: string };

export const SignedBytes = ({ sealed, transitionText }: Props) => (
  <Panel title="Signed bytes">
    <dl className="grid grid-cols-[9rem_minmax(0,1fr)] gap-x-4 gap-y-1 px-3 py-2 text-sm max-sm:grid-cols-1">
      <dt className="text-xs leading-6 text-muted">Transition</dt>
      <dd className="flex flex-wrap items-center gap-2">
        <DigestChip digest={sealed.view.transition_digest} label="transition digest" />
        {sealed.isBound ? <Mark kind="clean">matches its bytes</Mark> : <Mark kind="refused">does not match its bytes</Mark>}
      </dd>
      <dt className="text-xs leading-6 text-muted">This view</dt>
      <dd className="flex flex-wrap items-center gap-2">
        <DigestChip digest={sealed.viewDigest} label="view digest" />
        <span className="text-xs text-muted">computed in this browser from what this page shows</span>
      </dd>
      <dt className="text-xs leading-6 text-muted">Graph and policy</dt>
      <dd className="flex flex-wrap items-center gap-2">
        <DigestChip digest={sealed.view.graph_hash} label="graph digest" />
        <DigestChip digest={sealed.view.policy_hash} label="policy digest" />
      </dd>
      <dt className="text-xs leading-6 text-muted">Request</dt>
      <dd className="text-xs leading-6 text-muted">
        <span className="font-mono break-all">{sealed.view.approval_id}</span>, view format {sealed.view.v}
      </dd>
    </dl>
    <Bytes title="Canonical bytes of the transition" what="the transition" text={transitionText} />
    <Bytes title="Canonical bytes of this view, redacted" what="this view" text={sealed.viewText} />
  </Panel>
);
