package dev.retier.config;

import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/** YAML; the one class that needs its library, so that a program that reads JSON alone has to have none. */
record YamlForm() implements ConfigReader.Form {
    private static final TokenStreamFactory FACTORY = YAMLFactory.builder().build();

    @Override
    public String name() {
        return "YAML";
    }

    @Override
    public TokenStreamFactory factory() {
        return FACTORY;
    }

    /** None: the line is enough where each key has one of its own. */
    @Override
    public String column(TokenStreamLocation place) {
        return "";
    }

    @Override
    public String goesOn() {
        return "a second document begins; keep one, in a file of its own";
    }

    @Override
    public boolean isAlias(JsonParser parser) {
        return parser instanceof YAMLParser yaml && yaml.isCurrentAlias();
    }

    /** YAML does not tell a number from a text without quotes. */
    @Override
    public ConfigValue.ScalarType type(JsonParser parser) {
        return ConfigValue.ScalarType.OPEN;
    }
}
