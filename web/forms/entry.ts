import type { ChangeEvent, ReactNode } from 'react'

/** For a field that text is typed into: what is in it, where changes go, and what is wrong with it. */
export const entry = (value: string, onChange: (value: string) => void, error?: ReactNode) => ({
  value,
  error,
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    onChange(event.currentTarget.value),
})
