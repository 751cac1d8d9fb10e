export { completeKnownValues, insertValue, suggestedColumn } from './model/complete'
export {
  conditionKey,
  emptyQuery,
  isEmptyQuery,
  type Condition,
  type ConditionValue,
  type Query,
} from './model/condition'
export { isKeyed, type Field } from './model/fields'
export { createQueryLanguage, type QueryLanguage } from './model/language'
export { useSuggestions } from './useSuggestions'
export { QueryBar, type SuggestedValues } from './QueryBar'
export { chosenValues, excludeValue, includeValue, onlyValue, toggleValue } from './model/values'
