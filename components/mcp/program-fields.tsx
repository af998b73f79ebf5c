"use client";

import { useQuery } from "@tanstack/react-query";
import { CopyBlock } from "@/components/ui/copy-block";
import { useTRPC } from "@/components/trpc/trpc";
import { DigestChip } from "@/components/ui/digest-chip";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { OfferedProgram, Placeholder } from "@/lib/mcp/program";
import { describePlaceholder, type Filled } from "./program-draft";
import { listProgramFacts } from "./transport-text";

type Props = {
  readonly program: OfferedProgram | null;
  readonly filled: Filled;
  readonly onChange: (program: OfferedProgram, filled: Filled) => void;
};

const Value = ({
  name,
  placeholder,
  text,
  onChange,
}: {
  readonly name: string;
  readonly placeholder: Placeholder;
  readonly text: string;
  readonly onChange: (text: string) => void;
}) => (
  <Field label={name} hint={describePlaceholder(placeholder)}>
    {placeholder.type === "choice" ? (
      <Select
        items={placeholder.options.map((option) => ({ value: option, label: option }))}
        value={text === "" ? null : text}
        onValueChange={onChange}
      />
    ) : (
      <Input
        type={placeholder.type === "secret" ? "password" : "text"}
        autoComplete={placeholder.type === "secret" ? "new-password" : "off"}
        spellCheck={false}
        className="font-mono"
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

const nameProgram = ({ id, name, runs }: OfferedProgram): string =>
  [name, ...("version" in runs ? [runs.version] : []), ...(name === id ? [] : [`(${id})`])].join(" ");

export const ProgramFields = ({ program, filled, onChange }: Props) => {
  const { data } = useQuery(useTRPC().mcp.programs.queryOptions());
  const programs = data ?? [];

  return (
    <div className="flex flex-col gap-3">
      <Field label="Program" hint="Lists what this installation's operator has installed.">
        <Select
          items={programs.map((each) => ({ value: each.id, label: nameProgram(each) }))}
          value={program?.id ?? null}
          placeholder={programs.length === 0 ? "No programs available" : "Choose a program"}
          onValueChange={(id) => {
            const chosen = programs.find((each) => each.id === id);
            if (chosen) onChange(chosen, {});
          }}
        />
      </Field>
      {program ? (
        <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[8rem_minmax(0,1fr)]">
          <dt className="text-muted">Digest</dt>
          <dd>
            <DigestChip digest={program.digest} label="program digest" />
          </dd>
          {listProgramFacts(program).map(({ label, text }) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="break-words">{text}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {program
        ? Object.entries(program.placeholders).map(([name, placeholder]) => (
            <Value
              key={`${program.id} ${name}`}
              name={name}
              placeholder={placeholder}
              text={filled[name] ?? ""}
              onChange={(text) => onChange(program, { ...filled, [name]: text })}
            />
          ))
        : null}
      <div className="flex flex-col gap-1 text-xs text-muted">
        <p>The operator installs programs on the command line:</p>
        <CopyBlock text="npx countersign servers install NAME" label="the command" />
      </div>
    </div>
  );
};
