"use client";

import { Field } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { cn } from "./cn";
import { controlStyle } from "./control-style";

type Props = ComponentProps<"textarea">;

/** Labelled by its `Field`. */
export const Textarea = ({ className, rows = 3, ...rest }: Props) => (
  <Field.Control render={<textarea {...rest} rows={rows} className={cn(controlStyle, "min-h-16 resize-y py-1.5", className)} />} />
);
