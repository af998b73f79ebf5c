"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import type { ComponentProps, ReactNode } from "react";
import { useController, useForm, type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn } from "react-hook-form";
import type { z } from "zod";
import { Button } from "./button";
import { Failure } from "./failure";
import { Field } from "./field";
import { Input } from "./input";
import { Select, type SelectItem } from "./select";

type FormProps = {
  readonly onSubmit: () => unknown;
  /** Of the last submission. */
  readonly error?: unknown;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

export const Form = ({ onSubmit, error, className = "flex flex-col gap-3", children }: FormProps) => (
  <form
    method="post"
    noValidate
    className={className}
    onSubmit={(event) => {
      event.preventDefault();
      void onSubmit();
    }}
  >
    <Failure error={error} />
    {children}
  </form>
);

/** Form checked by a schema on submission, then on changes. */
export const useZodForm = <Values extends FieldValues, Output extends FieldValues>(
  schema: z.ZodType<Output, Values>,
  defaultValues: DefaultValues<NoInfer<Values>>,
) => useForm<Values, unknown, Output>({ resolver: zodResolver(schema), defaultValues });

type TextFieldProps<Values extends FieldValues, Output extends FieldValues> = Omit<ComponentProps<typeof Input>, "form" | "name"> & {
  readonly form: UseFormReturn<Values, unknown, Output>;
  readonly name: FieldPath<Values>;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
};

export const TextField = <Values extends FieldValues, Output extends FieldValues>({
  form: { register, getFieldState, formState },
  name,
  label,
  hint,
  ...input
}: TextFieldProps<Values, Output>) => (
  <Field label={label} hint={hint} error={getFieldState(name, formState).error?.message}>
    <Input autoComplete="off" {...input} {...register(name)} />
  </Field>
);

type SelectFieldProps<Values extends FieldValues, Output extends FieldValues> = Pick<
  TextFieldProps<Values, Output>,
  "form" | "name" | "label" | "hint"
> & { readonly items: readonly SelectItem<string>[] };

export const SelectField = <Values extends FieldValues, Output extends FieldValues>({
  form,
  name,
  label,
  hint,
  items,
}: SelectFieldProps<Values, Output>) => {
  const { field, fieldState } = useController({ control: form.control, name });

  return (
    <Field label={label} hint={hint} error={fieldState.error?.message}>
      <Select items={items} value={field.value} onValueChange={field.onChange} />
    </Field>
  );
};

type ActionsProps = {
  /** Label of the submit button. */
  readonly submit: ReactNode;
  /** Progress label. */
  readonly pending?: ReactNode;
  readonly disabledReason?: string | null;
  readonly onCancel?: () => void;
  /** Other buttons, first. */
  readonly children?: ReactNode;
};

/** Last row of a dialog's form; stays in sight. */
export const FormActions = ({ submit, pending, disabledReason, onCancel, children }: ActionsProps) => (
  <div className="sticky -bottom-3 -mx-4 -mb-3 flex flex-wrap justify-end gap-2 border-t bg-surface px-4 py-3">
    {children}
    {onCancel ? <Button onClick={onCancel}>Cancel</Button> : null}
    <Button type="submit" variant="primary" pending={pending} disabledReason={disabledReason}>
      {submit}
    </Button>
  </div>
);
