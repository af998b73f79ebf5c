"use client";

import type { SchemaField } from "./schema-field";
import { SchemaControl } from "./schema-control";
import { getInitialText, type Entered } from "./entered-values";

type Props = {
  readonly fields: readonly SchemaField[];
  readonly entered: Entered;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (place: string, text: string) => void;
  readonly onLeave: (place: string) => void;
};

export const SchemaFields = ({ fields, entered, problems, onChange, onLeave }: Props) =>
  fields.map((field) =>
    field.control.type === "group" ? (
      <fieldset key={field.place} className="flex flex-col gap-3 border-l-2 pl-3">
        <legend className="float-left w-full text-sm font-medium">{field.required ? field.label : `${field.label} (optional)`}</legend>
        {field.description === null ? null : <p className="-mt-2 text-xs text-muted">{field.description}</p>}
        <SchemaFields fields={field.control.fields} entered={entered} problems={problems} onChange={onChange} onLeave={onLeave} />
      </fieldset>
    ) : (
      <SchemaControl
        key={field.place}
        field={field}
        control={field.control}
        value={entered[field.place] ?? getInitialText(field)}
        error={problems.get(field.place) ?? null}
        onChange={(text) => onChange(field.place, text)}
        onLeave={() => onLeave(field.place)}
      />
    ),
  );
