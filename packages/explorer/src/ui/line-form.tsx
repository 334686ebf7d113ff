import type { ReactNode } from 'react';

export function LineForm({
  id,
  label,
  placeholder,
  submit,
  onSubmit,
  value = '',
  className = '',
  field = 'field',
  button = 'button',
  describedBy,
  children,
}: {
  id: string;
  label: string;
  placeholder: string;
  submit: string;
  onSubmit: (typed: string, form: HTMLFormElement) => void;
  value?: string;
  className?: string;
  field?: string;
  button?: string;
  describedBy?: string;
  children?: ReactNode;
}) {
  return (
    <form
      className={`${className} inline-form`.trim()}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const typed = new FormData(form).get(id);
        onSubmit(typeof typed === 'string' ? typed.trim() : '', form);
      }}
    >
      <label htmlFor={id} className="hidden-text">
        {label}
      </label>
      <input
        id={id}
        name={id}
        className={field}
        key={value}
        defaultValue={value}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={describedBy}
      />
      <button type="submit" className={button}>
        {submit}
      </button>
      {children}
    </form>
  );
}
