"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "./button";
import { notify } from "./toast";

type Props = { readonly text: string; readonly label: string };

export const CopyBlock = ({ text, label }: Props) => {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      notify({ tone: "error", title: "Couldn't copy. Select the text and copy it by hand." });
    }
  };
  const Icon = isCopied ? Check : Copy;

  return (
    <div className="flex items-start gap-2 rounded-md border bg-sunken p-2">
      <pre className="min-w-0 flex-1 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">{text}</pre>
      <Button size="sm" variant="ghost" onClick={() => void copy()} onBlur={() => setIsCopied(false)} aria-label={`Copy ${label}`}>
        <Icon aria-hidden className="size-3.5" />
        {isCopied ? "Copied" : "Copy"}
      </Button>
    </div>
  );
};
