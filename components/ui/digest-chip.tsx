"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { cn } from "./cn";
import { notify } from "./toast";

type Props = { readonly digest: string; readonly label?: string; readonly className?: string | undefined };

/** Shows eight characters; a click copies the digest. */
export const DigestChip = ({ digest, label = "digest", className }: Props) => {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(digest);
      setIsCopied(true);
    } catch {
      notify({ tone: "error", title: `Your browser blocked copying. The ${label} is ${digest}` });
    }
  };
  const Icon = isCopied ? Check : Copy;

  return (
    <button
      type="button"
      title={digest}
      aria-label={isCopied ? `Copied ${label} ${digest.slice(0, 8)}` : `Copy ${label} ${digest.slice(0, 8)}`}
      onClick={() => void copy()}
      onBlur={() => setIsCopied(false)}
      className={cn(
        "group inline-flex h-6 items-center gap-1 rounded-sm bg-sunken px-1.5 font-mono text-xs text-muted ring-1 ring-line transition-colors ring-inset hover:text-ink",
        className,
      )}
    >
      {digest.slice(0, 8)}
      <Icon aria-hidden className="size-3 opacity-50 group-hover:opacity-100" />
    </button>
  );
};
