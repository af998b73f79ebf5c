type Props = {
  readonly of: { readonly authorName: string; readonly secondPerson: string | null };
  readonly className?: string;
};

export const PublishersText = ({ of: { authorName, secondPerson }, className }: Props) => {
  const text = secondPerson === null ? authorName : `${authorName}, approved by ${secondPerson}`;

  return (
    <span className={className} title={text}>
      {text}
    </span>
  );
};
