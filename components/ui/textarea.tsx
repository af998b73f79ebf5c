"use client";

import { Field } from "@base-ui/react/field";
import type { ComponentProps } from "react";
import { cn } from "./cn";
import { controlStyle } from "./control-style";

type Props = ComponentProps<"textarea">;

/** Several lines of text. Inside a `Field` it is labelled and described by it. */
export const Textarea = ({ className, rows = 3, ...rest }: Props) => (
  <Field.Control render={<textarea {...rest} rows={rows} className={cn(controlStyle, "min-h-16 resize-y py-1.5", className)} />} />
);
