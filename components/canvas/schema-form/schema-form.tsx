"use client";

import { Fragment, type ReactNode } from "react";
import { z } from "zod";
import { Disclosure } from "@/components/canvas/fields/disclosure";
import { EntryList } from "@/components/canvas/fields/entry-list";
import { OptionalSection } from "@/components/canvas/fields/optional-section";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { FIELDS, listFields, listVariants, type FormField } from "@/lib/graph/field";
import { findFullFault, getBounds } from "./bounds";
import { FieldControl, type ControlProps } from "./field-control";
import { createValue, createValues, createVariant, followChange, type FormPlace, type Values } from "./initial-value";
import { ListControl } from "./list-control";

type Props = {
  readonly schema: z.ZodObject;
  readonly values: Values;
  readonly place: FormPlace;
  /** @param part groups typing into one undo step */
  readonly onChange: (values: Values, part?: string) => void;
  /** Hand-written editor; undefined: the generated one. */
  readonly renderPart?: (name: string) => ReactNode;
  readonly entry?: number;
};

const isValues = (value: unknown): value is Values => typeof value === "object" && value !== null;

const VariantControl = ({ field, value, place, label, onChange }: ControlProps) => {
  const variants = field.inner instanceof z.ZodUnion ? listVariants(field.inner) : [];
  const chosen = variants.findIndex((variant) => variant.safeParse(value).success);
  const variant = variants[chosen];
  const values = isValues(value) ? value : {};
  const hint = field.meta.description;

  return (
    <>
      <Field label={label} hint={hint}>
        <Select
          items={variants.map((each, index) => ({ value: String(index), label: FIELDS.get(each)?.title ?? String(index + 1) }))}
          value={String(chosen)}
          onValueChange={(index) => {
            if (index !== String(chosen)) onChange(createVariant(variants[Number(index)], place, values));
          }}
        />
      </Field>
      {variant ? <SchemaForm schema={variant} values={values} place={place} onChange={onChange} /> : null}
    </>
  );
};

const EntriesControl = ({ field, value, place, label, onChange }: ControlProps) => {
  const { inner, meta } = field;
  const { noun = "entry", description } = meta;
  if (!(inner instanceof z.ZodArray) || !(inner.element instanceof z.ZodObject)) return null;
  const { element } = inner;
  const entries = (Array.isArray(value) ? value : []).filter(isValues);

  return (
    <EntryList
      title={label}
      noun={noun}
      empty={`No ${noun}s yet.`}
      entries={entries}
      lastStays={getBounds(inner).min === undefined ? null : `At least one ${noun} is required`}
      onRemove={(index) => onChange(entries.toSpliced(index, 1))}
      adds={[
        {
          label: `Add ${/^[aeiou]/u.test(noun) ? "an" : "a"} ${noun}`,
          whyNot: findFullFault(inner, entries.length),
          onAdd: () => onChange([...entries, createValues(element, place)]),
        },
      ]}
      {...(description === undefined ? {} : { hint: description })}
    >
      {(entry, index) => (
        <SchemaForm
          schema={element}
          values={entry}
          place={place}
          entry={index + 1}
          onChange={(next, part) => onChange(entries.with(index, next), part === undefined ? undefined : `${index}.${part}`)}
        />
      )}
    </EntryList>
  );
};

const SectionControl = ({ field, value, place, label, onChange }: ControlProps) => {
  const { inner, isOptional, meta } = field;
  if (!(inner instanceof z.ZodObject)) return null;
  const form = isValues(value) ? <SchemaForm schema={inner} values={value} place={place} onChange={onChange} /> : null;

  return isOptional ? (
    <OptionalSection
      title={label}
      about={meta.description ?? ""}
      isOn={form !== null}
      onToggle={(isOn) => onChange(isOn ? createValue(field, place, {}) : undefined)}
    >
      {form}
    </OptionalSection>
  ) : (
    <Disclosure title={label}>{form}</Disclosure>
  );
};

const controlOf = ({ inner, meta }: FormField) => {
  if (inner instanceof z.ZodObject) return SectionControl;
  if (inner instanceof z.ZodUnion) return VariantControl;
  if (inner instanceof z.ZodArray && meta.widget !== "json") return inner.element instanceof z.ZodObject ? EntriesControl : ListControl;

  return FieldControl;
};

export const SchemaForm = ({ schema, values, place, onChange, renderPart, entry }: Props) => {
  const shown = listFields(schema).filter(({ meta }) => meta.when?.(values) !== false);
  const render = (field: FormField): ReactNode => {
    const written = renderPart?.(field.name);
    if (written !== undefined) return <Fragment key={field.name}>{written}</Fragment>;
    const Control = controlOf(field);

    return (
      <Control
        key={field.name}
        field={field}
        value={values[field.name]}
        siblings={values}
        place={place}
        label={entry === undefined ? field.meta.title : `${field.meta.title} ${entry}`}
        onChange={(value, part) => {
          const next = followChange(schema, place, dropUndefined({ ...values, [field.name]: value }));
          onChange(next, part === undefined ? undefined : `${field.name}.${part}`);
        }}
      />
    );
  };
  const sections = Map.groupBy(
    shown.filter(({ meta }) => meta.section !== undefined),
    ({ meta }) => meta.section ?? "",
  );

  return (
    <>
      {shown.filter(({ meta }) => meta.section === undefined).map(render)}
      {[...sections].map(([title, fields]) => (
        <Disclosure key={title} title={title}>
          {fields.map(render)}
        </Disclosure>
      ))}
    </>
  );
};
