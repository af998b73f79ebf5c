"use client";

import { X } from "lucide-react";
import { useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { controlStyle } from "@/components/ui/control-style";
import { cn } from "@/components/ui/cn";
import { toVisibleText } from "@/components/values/visible-text";
import type { Finding } from "@/lib/engine/approvals/case";
import { toShownText, type Span } from "./visible-offsets";

const MOST_FINDINGS = 100;
const EXCERPT_CHARACTERS = 80;

const excerptOf = (text: string, { start, end }: Span): string => {
  const excerpt = text.slice(start, end);

  return `“${toVisibleText(excerpt.slice(0, EXCERPT_CHARACTERS))}${excerpt.length > EXCERPT_CHARACTERS ? "…" : ""}”`;
};

const placeOf = (text: string, { start, end }: Finding): string =>
  start === null || end === null ? "the whole text" : `${start} to ${end}: ${excerptOf(text, { start, end })}`;

/** Ignores edits. */
const unchanged = (): void => undefined;

type Props = {
  readonly text: string;
  readonly codes: readonly string[];
  readonly findings: readonly Finding[];
  readonly onFindings: (findings: readonly Finding[]) => void;
  readonly blocked: string | null;
};

const Attached = ({ text, findings, onFindings, blocked }: Props) => (
  <ul aria-label="Your findings" className="flex flex-col border-t">
    {findings.map((finding, index) => (
      <li key={`${index} ${finding.code}`} className="flex items-center gap-2 border-b px-3 py-1.5 text-sm last:border-b-0">
        <span className="font-mono text-xs font-medium">{finding.code}</span>
        <span className="min-w-0 flex-1 truncate text-xs text-muted">{placeOf(text, finding)}</span>
        <Button
          size="icon"
          variant="ghost"
          aria-label={`Remove finding ${finding.code}, ${placeOf(text, finding)}`}
          disabledReason={blocked}
          onClick={() => onFindings(findings.filter((one) => one !== finding))}
        >
          <X aria-hidden className="size-3.5" />
        </Button>
      </li>
    ))}
  </ul>
);

export const TargetText = (props: Props) => {
  const { text, codes, findings, onFindings, blocked } = props;
  const shown = useMemo(() => toShownText(text), [text]);
  const [selected, setSelected] = useState<Span | null>(null);
  const [code, setCode] = useState<string | null>(codes[0] ?? null);
  const attach = () => {
    if (code === null) return;
    onFindings([...findings, selected ? { code, ...selected } : { code, start: null, end: null }]);
  };
  const full = findings.length >= MOST_FINDINGS ? `Limit of ${MOST_FINDINGS} findings reached.` : null;

  return (
    <>
      {/* Not readOnly, which hides the caret. */}
      <textarea
        aria-readonly
        aria-label="Target as text"
        value={shown.text}
        rows={Math.min(16, shown.text.split("\n").length + 2)}
        spellCheck={false}
        onBeforeInput={(event) => event.preventDefault()}
        onChange={unchanged}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
          setSelected(selectionStart === selectionEnd ? null : shown.original({ start: selectionStart, end: selectionEnd }))
        }
        className={cn(controlStyle, "block w-full resize-y rounded-none border-0 bg-sunken px-3 py-2 font-mono text-xs leading-5")}
      />
      <div className="flex flex-wrap items-center gap-2 border-t px-3 py-2">
        <output className="min-w-0 flex-1 truncate text-xs text-muted">
          {selected
            ? `Selected ${selected.start} to ${selected.end}: ${excerptOf(text, selected)}`
            : "Select part of the text, or attach a finding to the whole text."}
        </output>
        <Select
          aria-label="Finding"
          className="w-40"
          items={codes.map((value) => ({ value, label: value }))}
          value={code}
          onValueChange={setCode}
        />
        <Button size="sm" disabledReason={blocked ?? full ?? (code === null ? "Choose a finding" : null)} onClick={attach}>
          {selected ? "Attach to selection" : "Attach to whole text"}
        </Button>
      </div>
      {findings.length > 0 ? <Attached {...props} /> : null}
    </>
  );
};
