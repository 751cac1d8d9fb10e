package semconv

// key is the small number of an attribute name that some rule reads.
type key uint8

// The keys. Names of the service itself come first, then those of the conventions.
const (
	keyNone key = iota

	keyType
	keyLevel
	keyStatusMessage
	keyInput
	keyOutput
	keyModelName
	keyModelParameters
	keyUsageDetails
	keyCostDetails
	keyCompletionStartTime
	keyPromptName
	keyPromptVersion
	keyPlainPromptName
	keyPlainPromptVersion
	keyVersion
	keyRelease
	keyEnvironment
	keyTraceName
	keyTraceInput
	keyTraceOutput
	keyTracePublic
	keyPublic
	keyTraceTags
	keyTags
	keyUserID
	keySessionID
	keyAppRoot
	keyAsRoot
	keyObservationMetadata
	keyTraceMetadata
	keyMetadata
	keyMetadataUserID
	keyMetadataSessionID
	keyMetadataTags
	keyTraceMetadataUserID
	keyTraceMetadataSessionID
	keyTraceMetadataTags
	keyExperimentID
	keyExperimentName
	keyExperimentDescription
	keyExperimentDatasetID
	keyExperimentMetadata
	keyItemID
	keyItemVersion
	keyItemRootSpanID
	keyItemExpectedOutput
	keyItemMetadata

	keyServiceName
	keyServiceVersion
	keyTelemetryLanguage
	keyTelemetryName
	keyTelemetryVersion
	keyDeploymentEnvironmentName
	keyDeploymentEnvironment
	keyPlainUserID
	keyPlainSessionID
	keyPlainModel
	keyModelConfig
	keyPlainInput
	keyPlainOutput
	keyPrompt
	keyToolArguments
	keyToolResponse
	keyOperationName

	keyGenAIOperation
	keyGenAISystem
	keyGenAIRequestModel
	keyGenAIResponseModel
	keyGenAIMaxTokens
	keyGenAITemperature
	keyGenAIServiceTier
	keyGenAIFinishReasons
	keyGenAIFinishReason
	keyGenAIConversationID
	keyGenAIToolName
	keyGenAIToolCallID
	keyGenAIToolDefinitions
	keyGenAIToolArguments
	keyGenAIToolResult
	keyGenAISystemInstructions
	keyGenAIInputMessages
	keyGenAIOutputMessages
	keyGenAIPromptTokens
	keyGenAIInputTokens
	keyGenAICompletionTokens
	keyGenAIOutputTokens
	keyGenAICost
	keyGenAITotalCost
	keyGenAIFirstChunk
	keyGenAIResponseFirstChunk
	keyGenAIServerFirstToken
	keyGenAIPrompt
	keyGenAICompletion

	keyOpenInferenceKind
	keyOpenInferenceTags
	keyInputValue
	keyOutputValue
	keyLLMModelName
	keyLLMResponseModel
	keyLLMParameters
	keyLLMCost
	keyLLMUser
	keyEmbeddingModel
	keyLLMInputMessages
	keyLLMOutputMessages

	keyVercelModel
	keyVercelProvider
	keyVercelOperation
	keyVercelFunction
	keyVercelPromptMessages
	keyVercelPrompt
	keyVercelPromptTools
	keyVercelToolChoice
	keyVercelToolCallName
	keyVercelToolCallArgs
	keyVercelToolCallResult
	keyVercelResponseText
	keyVercelResponseObject
	keyVercelResponseToolCalls
	keyVercelProviderMetadata
	keyVercelFirstChunk
	keyVercelStreamFirstChunk
	keyVercelValue
	keyVercelValues
	keyVercelEmbedding
	keyVercelEmbeddings
	keyVercelResultText
	keyVercelResultObject
	keyVercelResultToolCalls
	keyVercelMaxSteps
	keyVercelMaxRetries
	keyVercelMode
	keyVercelTokens
	keyVercelCachedTokens
	keyVercelReasoningTokens
	keyVercelMetadata
	keyVercelUserID
	keyVercelSessionID
	keyVercelTags
	keyVercelPromptLink

	keyGenkitName
	keyGenkitSubtype
	keyGenkitInput
	keyGenkitOutput

	keyFlueToolName
	keyFlueToolCallID
	keyFlueTaskID
	keyFlueTaskAgent
	keyFlueTurnInput
	keyFlueTurnOutput
	keyFlueToolArguments
	keyFlueToolResult
	keyFlueTaskPrompt
	keyFlueTaskResult
	keyFlueOperationResult
	keyFlueWorkflowPayload
	keyFlueWorkflowResult

	keyVertexRequest
	keyVertexResponse
	keyVertexToolArgs
	keyVertexToolResponse
	keyVertexSession

	keyLiveKitInputText
	keyLiveKitTranscript
	keyLiveKitChatContext
	keyLiveKitUserInput
	keyLiveKitToolOutput
	keyLiveKitResponseText

	keyLogfireMessage
	keyLogfireEvents
	keyPydanticEvents
	keyPydanticMessages
	keyPydanticResult
	keyPydanticParameters

	keyMLflowInputs
	keyMLflowOutputs

	keyTraceloopInput
	keyTraceloopOutput
	keyTraceloopUser
	keyTraceloopUserID
	keyTraceloopSession
	keyTraceloopSessionID

	keyCount
)

// services are the prefixes of the service's own attributes. They mean the same; the first wins when both are sent.
var services = [...]string{"langfuse.", "almanac."}

// use reports whether an attribute shows up in metadata.
type use bool

const (
	kept    use = false
	content use = true // input, output or metadata of its own: not repeated among the attributes
)

type nameRow struct {
	name string
	key  key
	use  use
}

// serviceNames are the names after a service prefix.
var serviceNames = [...]nameRow{
	{"observation.type", keyType, kept},
	{"observation.level", keyLevel, kept},
	{"observation.status_message", keyStatusMessage, kept},
	{"observation.input", keyInput, content},
	{"observation.output", keyOutput, content},
	{"observation.model.name", keyModelName, kept},
	{"observation.model.parameters", keyModelParameters, kept},
	{"observation.usage_details", keyUsageDetails, kept},
	{"observation.cost_details", keyCostDetails, kept},
	{"observation.completion_start_time", keyCompletionStartTime, kept},
	{"observation.prompt.name", keyPromptName, kept},
	{"observation.prompt.version", keyPromptVersion, kept},
	{"prompt.name", keyPlainPromptName, kept},
	{"prompt.version", keyPlainPromptVersion, kept},
	{"version", keyVersion, kept},
	{"release", keyRelease, kept},
	{"environment", keyEnvironment, kept},
	{"trace.name", keyTraceName, kept},
	{"trace.input", keyTraceInput, content},
	{"trace.output", keyTraceOutput, content},
	{"trace.public", keyTracePublic, kept},
	{"public", keyPublic, kept},
	{"trace.tags", keyTraceTags, kept},
	{"tags", keyTags, kept},
	{"user.id", keyUserID, kept},
	{"session.id", keySessionID, kept},
	{"internal.is_app_root", keyAppRoot, kept},
	{"internal.as_root", keyAsRoot, kept},
	{"observation.metadata", keyObservationMetadata, content},
	{"trace.metadata", keyTraceMetadata, content},
	{"metadata", keyMetadata, kept},
	{"observation.metadata.langfuse_user_id", keyMetadataUserID, content},
	{"observation.metadata.langfuse_session_id", keyMetadataSessionID, content},
	{"observation.metadata.langfuse_tags", keyMetadataTags, content},
	{"trace.metadata.langfuse_user_id", keyTraceMetadataUserID, content},
	{"trace.metadata.langfuse_session_id", keyTraceMetadataSessionID, content},
	{"trace.metadata.langfuse_tags", keyTraceMetadataTags, content},
	{"experiment.id", keyExperimentID, kept},
	{"experiment.name", keyExperimentName, kept},
	{"experiment.description", keyExperimentDescription, kept},
	{"experiment.dataset.id", keyExperimentDatasetID, kept},
	{"experiment.metadata", keyExperimentMetadata, kept},
	{"experiment.item.id", keyItemID, kept},
	{"experiment.item.version", keyItemVersion, kept},
	{"experiment.item.root_observation_id", keyItemRootSpanID, kept},
	{"experiment.item.expected_output", keyItemExpectedOutput, kept},
	{"experiment.item.metadata", keyItemMetadata, kept},
}

// otherNames are the names of the conventions.
var otherNames = [...]nameRow{
	{"service.name", keyServiceName, kept},
	{"service.version", keyServiceVersion, kept},
	{"telemetry.sdk.language", keyTelemetryLanguage, kept},
	{"telemetry.sdk.name", keyTelemetryName, kept},
	{"telemetry.sdk.version", keyTelemetryVersion, kept},
	{"deployment.environment.name", keyDeploymentEnvironmentName, kept},
	{"deployment.environment", keyDeploymentEnvironment, kept},
	{"user.id", keyPlainUserID, kept},
	{"session.id", keyPlainSessionID, kept},
	{"model", keyPlainModel, kept},
	{"model_config", keyModelConfig, kept},
	{"input", keyPlainInput, content},
	{"output", keyPlainOutput, content},
	{"prompt", keyPrompt, content},
	{"tool_arguments", keyToolArguments, kept},
	{"tool_response", keyToolResponse, kept},
	{"operation.name", keyOperationName, kept},

	{"gen_ai.operation.name", keyGenAIOperation, kept},
	{"gen_ai.system", keyGenAISystem, kept},
	{"gen_ai.request.model", keyGenAIRequestModel, kept},
	{"gen_ai.response.model", keyGenAIResponseModel, kept},
	{"gen_ai.request.max_tokens", keyGenAIMaxTokens, kept},
	{"gen_ai.request.temperature", keyGenAITemperature, kept},
	{"gen_ai.request.service_tier", keyGenAIServiceTier, kept},
	{"gen_ai.response.finish_reasons", keyGenAIFinishReasons, kept},
	{"gen_ai.finishReason", keyGenAIFinishReason, kept},
	{"gen_ai.conversation.id", keyGenAIConversationID, kept},
	{"gen_ai.tool.name", keyGenAIToolName, kept},
	{"gen_ai.tool.call.id", keyGenAIToolCallID, kept},
	{"gen_ai.tool.definitions", keyGenAIToolDefinitions, kept},
	{"gen_ai.tool.call.arguments", keyGenAIToolArguments, content},
	{"gen_ai.tool.call.result", keyGenAIToolResult, content},
	{"gen_ai.system_instructions", keyGenAISystemInstructions, content},
	{"gen_ai.input.messages", keyGenAIInputMessages, content},
	{"gen_ai.output.messages", keyGenAIOutputMessages, content},
	{"gen_ai.usage.prompt_tokens", keyGenAIPromptTokens, kept},
	{"gen_ai.usage.input_tokens", keyGenAIInputTokens, kept},
	{"gen_ai.usage.completion_tokens", keyGenAICompletionTokens, kept},
	{"gen_ai.usage.output_tokens", keyGenAIOutputTokens, kept},
	{"gen_ai.usage.cost", keyGenAICost, kept},
	{"gen_ai.cost.total_cost", keyGenAITotalCost, kept},
	{"gen_ai.client.operation.time_to_first_chunk", keyGenAIFirstChunk, kept},
	{"gen_ai.response.time_to_first_chunk", keyGenAIResponseFirstChunk, kept},
	{"gen_ai.server.time_to_first_token", keyGenAIServerFirstToken, kept},
	{"gen_ai.prompt", keyGenAIPrompt, content},
	{"gen_ai.completion", keyGenAICompletion, content},

	{"openinference.span.kind", keyOpenInferenceKind, kept},
	{"tag.tags", keyOpenInferenceTags, kept},
	{"input.value", keyInputValue, content},
	{"output.value", keyOutputValue, content},
	{"llm.model_name", keyLLMModelName, kept},
	{"llm.response.model", keyLLMResponseModel, kept},
	{"llm.invocation_parameters", keyLLMParameters, kept},
	{"llm.cost.total", keyLLMCost, kept},
	{"llm.user", keyLLMUser, kept},
	{"embedding.model_name", keyEmbeddingModel, kept},
	{"llm.input_messages", keyLLMInputMessages, content},
	{"llm.output_messages", keyLLMOutputMessages, content},

	{"ai.model.id", keyVercelModel, kept},
	{"ai.model.provider", keyVercelProvider, kept},
	{"ai.operationId", keyVercelOperation, kept},
	{"ai.telemetry.functionId", keyVercelFunction, kept},
	{"ai.prompt.messages", keyVercelPromptMessages, content},
	{"ai.prompt", keyVercelPrompt, content},
	{"ai.prompt.tools", keyVercelPromptTools, kept},
	{"ai.prompt.toolChoice", keyVercelToolChoice, kept},
	{"ai.toolCall.name", keyVercelToolCallName, kept},
	{"ai.toolCall.args", keyVercelToolCallArgs, content},
	{"ai.toolCall.result", keyVercelToolCallResult, content},
	{"ai.response.text", keyVercelResponseText, content},
	{"ai.response.object", keyVercelResponseObject, content},
	{"ai.response.toolCalls", keyVercelResponseToolCalls, content},
	{"ai.response.providerMetadata", keyVercelProviderMetadata, kept},
	{"ai.response.msToFirstChunk", keyVercelFirstChunk, kept},
	{"ai.stream.msToFirstChunk", keyVercelStreamFirstChunk, kept},
	{"ai.value", keyVercelValue, content},
	{"ai.values", keyVercelValues, content},
	{"ai.embedding", keyVercelEmbedding, content},
	{"ai.embeddings", keyVercelEmbeddings, content},
	{"ai.result.text", keyVercelResultText, content},
	{"ai.result.object", keyVercelResultObject, content},
	{"ai.result.toolCalls", keyVercelResultToolCalls, content},
	{"ai.settings.maxSteps", keyVercelMaxSteps, kept},
	{"ai.settings.maxRetries", keyVercelMaxRetries, kept},
	{"ai.settings.mode", keyVercelMode, kept},
	{"ai.usage.tokens", keyVercelTokens, kept},
	{"ai.usage.cachedInputTokens", keyVercelCachedTokens, kept},
	{"ai.usage.reasoningTokens", keyVercelReasoningTokens, kept},
	{"ai.telemetry.metadata", keyVercelMetadata, content},
	{"ai.telemetry.metadata.userId", keyVercelUserID, content},
	{"ai.telemetry.metadata.sessionId", keyVercelSessionID, content},
	{"ai.telemetry.metadata.tags", keyVercelTags, content},
	{"ai.telemetry.metadata.langfusePrompt", keyVercelPromptLink, content},

	{"genkit:name", keyGenkitName, kept},
	{"genkit:metadata:subtype", keyGenkitSubtype, kept},
	{"genkit:input", keyGenkitInput, content},
	{"genkit:output", keyGenkitOutput, content},

	{"flue.tool.name", keyFlueToolName, kept},
	{"flue.tool.call_id", keyFlueToolCallID, kept},
	{"flue.task.id", keyFlueTaskID, kept},
	{"flue.task.agent", keyFlueTaskAgent, kept},
	{"flue.turn.input", keyFlueTurnInput, content},
	{"flue.turn.output", keyFlueTurnOutput, content},
	{"flue.tool.arguments", keyFlueToolArguments, content},
	{"flue.tool.result", keyFlueToolResult, content},
	{"flue.task.prompt", keyFlueTaskPrompt, content},
	{"flue.task.result", keyFlueTaskResult, content},
	{"flue.operation.result", keyFlueOperationResult, content},
	{"flue.workflow.payload", keyFlueWorkflowPayload, content},
	{"flue.workflow.result", keyFlueWorkflowResult, content},

	{"gcp.vertex.agent.llm_request", keyVertexRequest, content},
	{"gcp.vertex.agent.llm_response", keyVertexResponse, content},
	{"gcp.vertex.agent.tool_call_args", keyVertexToolArgs, content},
	{"gcp.vertex.agent.tool_response", keyVertexToolResponse, content},
	{"gcp.vertex.agent.session_id", keyVertexSession, kept},

	{"lk.input_text", keyLiveKitInputText, content},
	{"lk.user_transcript", keyLiveKitTranscript, content},
	{"lk.chat_ctx", keyLiveKitChatContext, content},
	{"lk.user_input", keyLiveKitUserInput, content},
	{"lk.function_tool.output", keyLiveKitToolOutput, content},
	{"lk.response.text", keyLiveKitResponseText, content},

	{"logfire.msg", keyLogfireMessage, kept},
	{"events", keyLogfireEvents, content},
	{"all_messages_events", keyPydanticEvents, content},
	{"pydantic_ai.all_messages", keyPydanticMessages, content},
	{"final_result", keyPydanticResult, content},
	{"model_request_parameters", keyPydanticParameters, kept},

	{"mlflow.spanInputs", keyMLflowInputs, content},
	{"mlflow.spanOutputs", keyMLflowOutputs, content},

	{"traceloop.entity.input", keyTraceloopInput, content},
	{"traceloop.entity.output", keyTraceloopOutput, content},
	{"traceloop.association.properties.user_id", keyTraceloopUser, kept},
	{"traceloop.association.properties.userId", keyTraceloopUserID, kept},
	{"traceloop.association.properties.session_id", keyTraceloopSession, kept},
	{"traceloop.association.properties.sessionId", keyTraceloopSessionID, kept},
}

// family is a set of names with a common beginning, whose rest is the client's.
type family uint8

const (
	noFamily family = iota
	observationMetadata
	traceMetadata
	plainMetadata
	vercelMetadata
	experimentMetadata
	itemMetadata
	usageCounts
	requestParameters
	promptParts
	completionParts
	inputMessageParts
	outputMessageParts
	toolSchemas
	toolFunctions
)

type familyRow struct {
	prefix string
	family family
	use    use
}

// serviceFamilies are the prefixes after a service prefix.
var serviceFamilies = [...]familyRow{
	{"observation.metadata.", observationMetadata, content},
	{"trace.metadata.", traceMetadata, content},
	{"metadata.", plainMetadata, kept},
	{"experiment.metadata.", experimentMetadata, kept},
	{"experiment.item.metadata.", itemMetadata, kept},
}

var otherFamilies = [...]familyRow{
	{"gen_ai.usage.", usageCounts, kept},
	{"gen_ai.request.", requestParameters, kept},
	{"gen_ai.prompt.", promptParts, content},
	{"gen_ai.completion.", completionParts, content},
	{"llm.token_count.", usageCounts, kept},
	{"llm.invocation_parameters.", requestParameters, kept},
	{"llm.input_messages.", inputMessageParts, content},
	{"llm.output_messages.", outputMessageParts, content},
	{"llm.tools.", toolSchemas, kept},
	{"llm.request.functions.", toolFunctions, kept},
	{"ai.telemetry.metadata.", vercelMetadata, content},
}
