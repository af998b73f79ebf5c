"use client";

import { Input as Base } from "@base-ui/react/input";
import type { ComponentProps } from "react";
import { cn } from "./cn";
import { controlStyle } from "./control-style";

type Props = Omit<ComponentProps<typeof Base>, "className"> & { readonly className?: string | undefined };

/** Labelled by its `Field`. */
export const Input = ({ className, ...rest }: Props) => <Base {...rest} className={cn(controlStyle, "h-8", className)} />;
