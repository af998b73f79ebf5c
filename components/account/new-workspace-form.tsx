"use client";

import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Form, TextField, useZodForm } from "@/components/ui/form";
import { firstAdminSchema } from "@/lib/first-admin";
import type { Entry } from "@/lib/people/sign-in";
import { EntryProblem } from "./entry-problem";
import { useEntering } from "./use-entering";

const formSchema = z.strictObject({ name: firstAdminSchema.shape.workspaceName });

type Props = { readonly toEntry: (name: string) => Entry };

export const NewWorkspaceForm = ({ toEntry }: Props) => {
  const form = useZodForm(formSchema, { name: "" });
  const { enter, problem } = useEntering(() => window.location.assign("/"));
  const submit = form.handleSubmit(({ name }) => enter(toEntry(name)));

  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <EntryProblem problem={problem} />
      <TextField form={form} name="name" label="Workspace" hint="The name of your team or organisation." autoComplete="organization" />
      <Button type="submit" variant="primary" size="lg" pending={form.formState.isSubmitting ? "Creating…" : null}>
        Create workspace
      </Button>
    </Form>
  );
};
