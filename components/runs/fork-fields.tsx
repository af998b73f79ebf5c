import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { listChoicesOf, type ForkScene } from "./fork-choices";
import { FORK_FIELDS, FORK_KINDS, FORK_WORDS, type ForkDraft } from "./fork-draft";

type Props = { readonly draft: ForkDraft; readonly scene: ForkScene; readonly onChange: (draft: ForkDraft) => void };

export const ForkFields = ({ draft, scene, onChange }: Props) => {
  const { subject, text } = FORK_FIELDS[draft.kind];
  const choices = listChoicesOf(draft.kind, scene);
  const words = FORK_WORDS[draft.kind];

  return (
    <>
      <Field label="Change">
        <Select items={FORK_KINDS} value={draft.kind} onValueChange={(kind) => onChange({ kind, subject: "", text: "" })} />
      </Field>
      {subject === null || choices.length === 0 ? null : (
        <Field label={subject}>
          <Select
            items={choices}
            value={draft.subject === "" ? null : draft.subject}
            onValueChange={(value) =>
              onChange({ ...draft, subject: value, text: choices.find((choice) => choice.value === value)?.text ?? draft.text })
            }
          />
        </Field>
      )}
      {text === null || (subject !== null && choices.length === 0) ? null : (
        <Field label={text}>
          {words ? (
            <Select
              items={words}
              value={draft.text === "" ? null : draft.text}
              onValueChange={(value) => onChange({ ...draft, text: value })}
            />
          ) : (
            <Textarea
              value={draft.text}
              maxLength={50_000}
              rows={8}
              className="font-mono"
              onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
    </>
  );
};
