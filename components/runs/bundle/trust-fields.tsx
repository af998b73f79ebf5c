"use client";

import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { Trust } from "./bundle-store";
import { pastedKeys } from "./pasted-keys";

const ITEMS = [
  { value: "installation", label: "The keys of this installation" },
  { value: "pasted", label: "Keys that I paste" },
  { value: "file", label: "None: only see whether it agrees with itself" },
] as const;

export type TrustDraft = { readonly type: Trust["type"]; readonly text: string };

export const NO_TRUST_DRAFT: TrustDraft = { type: "installation", text: "" };

/** @returns null: what was pasted are no keys */
export const trustOf = ({ type, text }: TrustDraft): Trust | null => {
  if (type !== "pasted") return { type };
  const keys = pastedKeys(text);

  return keys && { type, keys: { ...keys } };
};

type Props = { readonly draft: TrustDraft; readonly onChange: (draft: TrustDraft) => void };

/** Whose keys a file is checked against. */
export const TrustFields = ({ draft, onChange }: Props) => (
  <>
    <Field label="Whose keys are trusted" hint="A key that stands in the file itself proves nothing about who made the file.">
      <Select items={ITEMS} value={draft.type} onValueChange={(type) => onChange({ ...draft, type })} />
    </Field>
    {draft.type === "pasted" ? (
      <Field
        label="Keys"
        hint={'What "countersign keys" prints where the run was made, or a line with a name and a key each.'}
        error={draft.text.trim() !== "" && pastedKeys(draft.text) === null ? "These are no public keys." : null}
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
