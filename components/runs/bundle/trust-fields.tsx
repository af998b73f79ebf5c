"use client";

import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { Trust } from "./bundle-store";
import { parsePastedKeys } from "./pasted-keys";

const ITEMS = [
  { value: "installation", label: "This installation's keys" },
  { value: "pasted", label: "Pasted keys" },
  { value: "file", label: "Only the keys in the file" },
] as const;

export type TrustDraft = { readonly type: Trust["type"]; readonly text: string };

export const NO_TRUST_DRAFT: TrustDraft = { type: "installation", text: "" };

/** @returns null without keys */
export const parseTrust = ({ type, text }: TrustDraft): Trust | null => {
  if (type !== "pasted") return { type };
  const keys = parsePastedKeys(text);

  return keys && { type, keys: { ...keys } };
};

type Props = { readonly draft: TrustDraft; readonly onChange: (draft: TrustDraft) => void };

export const TrustFields = ({ draft, onChange }: Props) => (
  <>
    <Field label="Trusted keys" hint="Keys in the file itself don't prove who created it.">
      <Select items={ITEMS} value={draft.type} onValueChange={(type) => onChange({ ...draft, type })} />
    </Field>
    {draft.type === "pasted" ? (
      <Field
        label="Keys"
        hint={'Paste the output of "countersign keys" from the installation that ran it, or one name and key per line.'}
        error={draft.text.trim() !== "" && parsePastedKeys(draft.text) === null ? "Not valid public keys." : null}
      >
        <Textarea
          rows={4}
          className="font-mono"
          maxLength={20_000}
          value={draft.text}
          onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
        />
      </Field>
    ) : null}
  </>
);
