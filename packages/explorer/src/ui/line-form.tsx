/** One line to fill in, with a button beside it. */
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
  /** The name of the field, for those who cannot see the placeholder. */
  label: string;
  placeholder: string;
  /** The words on the button. */
  submit: string;
  /** @param typed without white space around it */
  onSubmit: (typed: string, form: HTMLFormElement) => void;
  /** Text that stands in the field at first, and again whenever this changes. */
  value?: string;
  className?: string;
  field?: string;
  button?: string;
  /** The id of the element that says what is wrong with it. */
  describedBy?: string;
  /** Further buttons. */
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
