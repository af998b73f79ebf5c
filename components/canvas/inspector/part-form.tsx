"use client";

import type { z } from "zod";
import type { Values } from "@/components/canvas/schema-form/initial-value";
import { SchemaForm } from "@/components/canvas/schema-form/schema-form";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";

type Props<S extends z.ZodObject> = {
  readonly schema: S;
  readonly values: Values;
  readonly onChange: (part: z.output<S>, field?: string) => void;
};

export const PartForm = <S extends z.ZodObject>({ schema, values, onChange }: Props<S>) => {
  const graph = useDocument();
  const catalog = useCanvas((state) => state.catalog);

  return (
    <SchemaForm
      schema={schema}
      values={values}
      place={{ graph, catalog }}
      onChange={(next, field) => {
        const parsed = schema.safeParse(next);
        if (parsed.success) onChange(parsed.data, field);
      }}
    />
  );
};
